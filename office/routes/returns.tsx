import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { countReturns, searchReturns } from "#app/owner/returns/search.server.ts";
import { REASON_WORDS } from "#app/owner/returns/standing.ts";
import { may } from "#app/staff/roles.ts";
import { useFresh } from "../frame/fresh.browser.tsx";
import { ExportLink, Filters, List, ListViews, Pager, SelectFilter, TimeSort } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { keysetOf } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { returnSearchOf } from "../returns/filters.server.ts";
import { ReturnsTable } from "../returns/table.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "details");
  const params = new URL(request.url).searchParams;
  const search = returnSearchOf(params);
  return {
    ...(await searchReturns(db(), search, keysetOf(params))),
    view: search.view,
    counts: await countReturns(db()),
    mayExport: may(role, "export"),
  };
}

const VIEWS = {
  open: "Open",
  "to-answer": "To answer",
  "on-the-way": "On the way",
  due: "Received",
  overdue: "Overdue",
  closed: "Closed",
  all: "All",
};

export default function Returns() {
  useFresh();
  const { rows, newer, older, view, counts, mayExport } = useLoaderData<typeof loader>();
  const nothing = `${view === "all" ? "No returns yet." : "Nothing to do here."} What shoppers ask for appears by itself.`;
  return (
    <Page title="Returns" actions={mayExport && <ExportLink to="/returns/export.csv" />}>
      <ListViews names={VIEWS} first="open" current={view} counts={counts} />
      <Filters search="Return, order or name">
        <SelectFilter name="reason" label="Reason" options={REASON_WORDS} />
        <SelectFilter name="wish" label="Wanted" options={{ money: "For a refund", exchange: "For another size" }} />
        <TimeSort />
      </Filters>
      <List rows={rows} one="return" nothing={nothing} all="/returns?view=all" isAll={view === "all"}>
        <ReturnsTable label={VIEWS[view]} returns={rows} />
        <Pager about={`${plural(rows.length, "return")} on this page`} newer={newer} older={older} />
      </List>
    </Page>
  );
}
