import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { listedToPack } from "#app/owner/orders/packing.server.ts";
import { countOrderViews, searchOrders } from "#app/owner/orders/search.server.ts";
import { tagsInUse } from "#app/owner/tags/tags.server.ts";
import { may } from "#app/staff/roles.ts";
import { ButtonLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { ExportLink, List, ListViews, Pager } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { justNow, RecentWork } from "../frame/progress.tsx";
import { keysetOf } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { ChoiceBar } from "../orders/list/choice-bar.tsx";
import { countriesToShipTo, searchOf } from "../orders/list/filters.server.ts";
import { OrderFilters } from "../orders/list/filters.tsx";
import { SavedViews } from "../orders/list/saved-views.browser.tsx";
import { useChoice } from "../orders/list/use-choice.browser.ts";
import { recentSteps } from "../orders/many/works.server.ts";
import { recentSheets } from "../orders/sheet.server.ts";
import { type ListedOrder, OrdersTable } from "../orders/table.tsx";
import { TAGS_NEED } from "../tags/changes.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const { id, role } = requirePermission(context, "orders");
  const search = searchOf(params, role);
  const isToPack = !may(role, "details");
  const mayPack = may(role, "packing");
  const withTags = may(role, TAGS_NEED.order);
  const { rows, ...ends } = await searchOrders(db(), { ...search, isToPack, withTags }, keysetOf(params));
  return {
    rows: isToPack ? rows.map(listedToPack) : rows,
    ...ends,
    view: search.view,
    counts: await countOrderViews(db()),
    countries: await countriesToShipTo(),
    tags: withTags ? await tagsInUse(db(), ["order"]) : [],
    works: mayPack ? justNow([...recentSheets(id), ...recentSteps(id)]) : [],
    isToPack,
    mayPack,
    mayExport: may(role, "export"),
    mayPutTogether: may(role, "service"),
  };
}

const VIEWS = { "to-send": "To send", all: "All", "pick-up": "Pick-up", abroad: "Abroad", person: "Needs attention" };

export default function Orders() {
  useFresh();
  const { rows: found, newer, older, view, counts, countries, works, ...rest } = useLoaderData<typeof loader>();
  const { tags, isToPack, mayPack, mayExport, mayPutTogether } = rest;
  const rows: ListedOrder[] = found;
  const { choosing, sumKobo, ...choice } = useChoice(rows);
  const sum = rows.reduce((all, { kobo = 0 }) => all + kobo, 0);
  const { person, ...packed } = VIEWS;
  const nothing = `${view === "all" ? "Nobody has ordered yet." : "Nothing to do here."} New orders appear by themselves.`;
  return (
    <Page
      title="Orders"
      actions={
        <>
          {mayPutTogether && (
            <ButtonLink look="line" to="/orders/new">
              New order
            </ButtonLink>
          )}
          {mayExport && <ExportLink to="/orders/export.csv" />}
        </>
      }
    >
      <ListViews names={isToPack ? packed : VIEWS} first="all" current={view} counts={counts}>
        <SavedViews />
      </ListViews>
      <RecentWork works={works} />
      <OrderFilters countries={countries} tags={tags} isToPack={isToPack} />
      {choice.numbers.length > 0 && (
        <ChoiceBar {...choice} sumKobo={isToPack ? undefined : sumKobo} mayExport={mayExport} mayPack={mayPack} />
      )}
      <List rows={rows} one="order" nothing={nothing} all="/orders" isAll={view === "all"}>
        <OrdersTable label={VIEWS[view]} orders={rows} choosing={choosing} />
        <Pager
          about={plural(rows.length, "order") + (isToPack ? "" : `, ${formatKobo(kobo(sum))}`)}
          newer={newer}
          older={older}
        />
      </List>
      {choice.numbers.length > 0 && <div className="h-16 max-lg:hidden" />}
    </Page>
  );
}
