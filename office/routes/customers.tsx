import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { searchCustomers } from "#app/owner/customers/search.server.ts";
import { tagsInUse } from "#app/owner/tags/tags.server.ts";
import { may } from "#app/staff/roles.ts";
import { customerSearchOf } from "../customers/filters.server.ts";
import { ForgottenNotice } from "../customers/forgotten-notice.tsx";
import { CustomersTable } from "../customers/table.tsx";
import { ExportLink, Filters, List, Pager, SelectFilter, TimeSort } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { keysetOf } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { TagFilter } from "../tags/tags.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "customers");
  const params = new URL(request.url).searchParams;
  const page = await searchCustomers(db(), customerSearchOf(params), keysetOf(params));
  return { ...page, tags: await tagsInUse(db(), ["customer"]), mayExport: may(role, "export") };
}

export default function Customers() {
  const { rows, newer, older, tags, mayExport } = useLoaderData<typeof loader>();
  return (
    <Page title="Customers" actions={mayExport && <ExportLink to="/customers/export.csv" />}>
      <ForgottenNotice />
      <Filters search="Name, email or phone">
        <SelectFilter name="bought" label="Bought or not" options={{ yes: "Have bought", no: "Have not yet" }} />
        <SelectFilter name="newsletter" label="Newsletter" options={{ yes: "With the newsletter", no: "Without it" }} />
        <TagFilter tags={tags} />
        <TimeSort />
      </Filters>
      <List rows={rows} one="customer" nothing="Nobody has an account yet." all="/customers">
        <CustomersTable customers={rows} />
        <Pager about={`${plural(rows.length, "customer")} on this page`} newer={newer} older={older} />
      </List>
    </Page>
  );
}
