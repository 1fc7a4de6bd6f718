import { useState } from "react";
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { ORDER_STATES } from "#app/orders/state.ts";
import { countOrders, searchOrders } from "#app/owner/order-search.server.ts";
import { STATE_WORDS } from "#app/owner/orders/standing.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { NIGERIA } from "#app/shipping/shipping.ts";
import { may } from "#app/staff/roles.ts";
import { Button, ButtonLink, PlainLink } from "../frame/button.tsx";
import { Days } from "../frame/days.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { Pager, Search, SelectFilter, SetFilter, TimeSort, useFilters, View, Views } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { justNow, RecentWork } from "../frame/progress.tsx";
import { staffOf } from "../http/staff.server.ts";
import { ChoiceBar } from "../orders/choice-bar.tsx";
import { searchOf } from "../orders/filters.server.ts";
import { SavedViews } from "../orders/saved-views.browser.tsx";
import { recentSheets } from "../orders/sheet.server.ts";
import { OrdersTable } from "../orders/table.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { before, after, ...search } = searchOf(new URL(request.url).searchParams);
  const { countries } = await loadShippingRates(db());
  const { id, role } = staffOf(context);
  const mayChange = may(role, "orders");
  return {
    ...(await searchOrders(db(), search, { before, after })),
    view: search.view,
    counts: await countOrders(db()),
    countries: [NIGERIA.name, ...countries.map(({ name }) => name)],
    works: mayChange ? justNow(recentSheets(id)) : [],
    mayChange,
    mayExport: may(role, "orders"),
  };
}

const VIEWS = { "to-send": "To send", all: "All", "pick-up": "Pick-up", abroad: "Abroad", person: "Needs a person" };

export default function Orders() {
  useFresh();
  const { orders, newer, older, view, counts, countries, works, mayChange, mayExport } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  const [chosen, setChosen] = useState<ReadonlyMap<string, number>>(new Map());
  const sums = new Map([...chosen, ...orders.map(({ number, kobo }) => [number, kobo] as const)]);
  const choosing = {
    chosen: new Set(chosen.keys()),
    choose: (numbers: ReadonlySet<string>) => setChosen(new Map([...numbers].map((one) => [one, sums.get(one) ?? 0]))),
  };
  const sum = orders.reduce((all, order) => all + order.kobo, 0);
  const exported = new URLSearchParams(params);
  for (const name of ["before", "after"]) exported.delete(name);
  return (
    <Page
      title="Orders"
      actions={
        mayExport && (
          <PlainLink href={`/orders/export.csv?${exported}`} download>
            <DownloadIcon className="size-5" />
            Export
          </PlainLink>
        )
      }
    >
      <Views label="Views">
        {Object.entries(VIEWS).map(([name, title]) => (
          <View
            key={name}
            to={name === "all" ? "?" : `?view=${name}`}
            current={view === name}
            count={name === "all" ? undefined : counts[name as keyof typeof counts]}
          >
            {title}
          </View>
        ))}
        <SavedViews />
      </Views>
      <RecentWork works={works} />
      <Filters countries={countries} />
      {chosen.size > 0 && (
        <ChoiceBar
          numbers={[...chosen.keys()]}
          sumKobo={[...chosen.values()].reduce((all, one) => all + one, 0)}
          mayChange={mayChange}
          mayExport={mayExport}
          onNone={() => setChosen(new Map())}
          onAll={() => choosing.choose(new Set([...chosen.keys(), ...orders.map(({ number }) => number)]))}
        />
      )}
      {orders.length === 0 ? (
        <Empty ofAll={view === "all"} />
      ) : (
        <OrdersTable label={VIEWS[view]} orders={orders} choosing={choosing} />
      )}
      {orders.length > 0 && (
        <Pager
          about={`${orders.length} ${orders.length === 1 ? "order" : "orders"}, ${formatKobo(kobo(sum))}`}
          newer={newer}
          older={older}
        />
      )}
      {chosen.size > 0 && <div className="h-16 max-lg:hidden" />}
    </Page>
  );
}

const YES_NO = [
  { value: "yes", name: "Sent" },
  { value: "no", name: "Not sent" },
];
const DELIVERY = [
  { value: "home", name: "To an address" },
  { value: "pick-up", name: "Pick-up" },
];

function Filters({ countries }: { countries: string[] }) {
  const filters = useFilters();
  const [isOpen, setOpen] = useState(false);
  const set = ["state", "sent", "country", "delivery", "customer", "from", "until"].filter((name) => filters.get(name));
  const days = [filters.get("from"), filters.get("until")];
  return (
    <div className="flex flex-wrap gap-2 py-3">
      <Search label="Order, name, email or phone" />
      <Button
        type="button"
        look="line"
        className="bg-white lg:hidden"
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        Filter {set.length > 0 && <span className="tabular-nums">{set.length}</span>}
      </Button>
      <div className={`w-full flex-wrap gap-2 lg:flex lg:w-auto ${isOpen ? "flex" : "hidden"}`}>
        {days.some(Boolean) && (
          <SetFilter names={["from", "until"]}>{days[0] === days[1] ? days[0] : days.join(" to ").trim()}</SetFilter>
        )}
        {filters.get("customer") && <SetFilter names={["customer"]}>One customer</SetFilter>}
        <Days />
        <SelectFilter
          name="state"
          label="State"
          options={ORDER_STATES.map((value) => ({ value, name: STATE_WORDS[value] }))}
        />
        <SelectFilter name="sent" label="Sent or not" options={YES_NO} />
        <SelectFilter name="country" label="Country" options={countries.map((name) => ({ value: name, name }))} />
        <SelectFilter name="delivery" label="Delivery" options={DELIVERY} />
        <TimeSort />
      </div>
    </div>
  );
}

function Empty({ ofAll }: { ofAll: boolean }) {
  const [params] = useSearchParams();
  const isNarrowed = [...params.keys()].some((name) => name !== "view" && name !== "sort");
  const nothing = ofAll ? "Nobody has ordered yet." : "Nothing waits here.";
  return (
    <div className="grid justify-items-start gap-3 py-6">
      <p className="text-muted">{isNarrowed ? "No order fits." : `${nothing} New orders appear by themselves.`}</p>
      {(isNarrowed || !ofAll) && (
        <ButtonLink look="line" to="/orders">
          See all orders
        </ButtonLink>
      )}
    </div>
  );
}
