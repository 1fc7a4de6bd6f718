import { STATE_WORDS } from "#app/owner/orders/standing.ts";
import { Days } from "../../frame/days.tsx";
import { Filters, SelectFilter, TimeSort } from "../../frame/list-tools.tsx";

/** The filters of the orders' list. */
export function OrderFilters({ countries, isToPack }: { countries: string[]; isToPack: boolean }) {
  return (
    <Filters
      search={isToPack ? "Order, name, street, item or parcel" : "Order, name, email, phone, street, item or parcel"}
    >
      <Days />
      <SelectFilter name="state" label="State" options={STATE_WORDS} />
      <SelectFilter name="sent" label="Sent or not sent" options={{ yes: "Sent", no: "Not sent" }} />
      <SelectFilter name="country" label="Country" options={Object.fromEntries(countries.map((one) => [one, one]))} />
      <SelectFilter name="delivery" label="Delivery" options={{ home: "To an address", "pick-up": "Pick-up" }} />
      <TimeSort />
    </Filters>
  );
}
