import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { auditPage } from "#app/owner/audit.server.ts";
import { endOfDay, startOfDay } from "#app/owner/shop-time.server.ts";
import { Change } from "../audit/change.tsx";
import { AuditFilters } from "../audit/filters.tsx";
import { lineOf } from "../audit/lines.server.ts";
import { List, Pager } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { keysetOf, listParams } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "audit");
  const params = new URL(request.url).searchParams;
  const { text, textOf } = listParams(params);
  const on = params.get("on") ?? "";
  const day = { since: startOfDay(on), until: endOfDay(on) };
  const search = { words: text, kind: textOf("kind"), door: textOf("door"), ...day };
  const { rows, ...ends } = await auditPage(db(), search, keysetOf(params));
  return { rows: rows.map((row) => lineOf(row, role)), ...ends };
}

export default function Audit() {
  const { rows, newer, older } = useLoaderData<typeof loader>();
  return (
    <Page title="Audit log" about="Who changed what, and when. Nothing is ever removed.">
      <AuditFilters />
      <List rows={rows} one="change" nothing="Nothing has been changed yet." all="/audit">
        <ol className="border-t border-hairline">
          {rows.map((row) => (
            <Change key={row.id} row={row} />
          ))}
        </ol>
        <Pager about={`${rows.length} on this page`} newer={newer} older={older} />
      </List>
    </Page>
  );
}
