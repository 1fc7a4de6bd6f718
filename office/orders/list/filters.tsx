import { STATE_WORDS } from "#app/owner/orders/standing.ts";
import type { Tag } from "#app/owner/tags/tag.ts";
import { Days } from "../../frame/days.tsx";
import { Filters, SelectFilter, TimeSort } from "../../frame/list-tools.tsx";
import { TagFilter } from "../../tags/tags.tsx";

type Props = { countries: string[]; tags: Tag[]; isToPack: boolean };

/** The filters of the orders' list. */
export function OrderFilters({ countries, tags, isToPack }: Props) {
  return (
    <Filters
      search={isToPack ? "Order, name, street, item or parcel" : "Order, name, email, phone, street, item or parcel"}
    >
      <Days />
      <SelectFilter name="state" label="State" options={STATE_WORDS} />
      <SelectFilter name="sent" label="Sent or not sent" options={{ yes: "Sent", no: "Not sent" }} />
      <SelectFilter name="country" label="Country" options={Object.fromEntries(countries.map((one) => [one, one]))} />
      <SelectFilter name="delivery" label="Delivery" options={{ home: "To an address", "pick-up": "Pick-up" }} />
      <TagFilter tags={tags} />
      <TimeSort />
    </Filters>
  );
}
