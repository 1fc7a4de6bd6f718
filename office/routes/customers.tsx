import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { viewByPhone } from "#app/owner/customers/by-phone.server.ts";
import { searchCustomers } from "#app/owner/customers/search.server.ts";
import { tagsInUse } from "#app/owner/tags/tags.server.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { CustomerByPhone } from "../customers/by-phone.tsx";
import { PHONE_CUSTOMER_CHANGES } from "../customers/changes.server.ts";
import { customerSearchOf } from "../customers/filters.server.ts";
import { ForgottenNotice } from "../customers/forgotten-notice.tsx";
import { CustomersTable } from "../customers/table.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { ExportLink, Filters, List, Pager, SelectFilter, TimeSort } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { keysetOf } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { TagFilter } from "../tags/tags.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "customers");
  const params = new URL(request.url).searchParams;
  const search = customerSearchOf(params);
  const [page, byPhone, tags] = await Promise.all([
    searchCustomers(db(), search, keysetOf(params)),
    viewByPhone(db(), search.text ?? ""),
    tagsInUse(db(), ["customer"]),
  ]);
  return { ...page, byPhone, tags, mayExport: may(role, "export") };
}

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const action = changes(PHONE_CUSTOMER_CHANGES);
export const clientAction = keepWhatIsTyped;

export default function Customers() {
  const { rows, newer, older, byPhone, tags, mayExport } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  return (
    <Page title="Customers" actions={mayExport && <ExportLink to="/customers/export.csv" />}>
      <ForgottenNotice />
      {done && !done.ok && "problem" in done && <Notice kind="error">{done.problem}</Notice>}
      <Filters search="Name, email or phone">
        <SelectFilter name="bought" label="Bought or not" options={{ yes: "Have bought", no: "Have not yet" }} />
        <SelectFilter name="newsletter" label="Newsletter" options={{ yes: "With the newsletter", no: "Without it" }} />
        <TagFilter tags={tags} />
        <TimeSort />
      </Filters>
      {byPhone && <CustomerByPhone {...byPhone} />}
      <List rows={rows} one="customer" nothing="Nobody has an account yet." all="/customers">
        <CustomersTable customers={rows} />
        <Pager about={`${plural(rows.length, "customer")} on this page`} newer={newer} older={older} />
      </List>
    </Page>
  );
}
