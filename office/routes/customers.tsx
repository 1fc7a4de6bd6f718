import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { searchCustomers } from "#app/owner/customers/search.server.ts";
import { customerSearchOf } from "../customers/filters.server.ts";
import { CustomersTable } from "../customers/table.tsx";
import { ButtonLink, PlainLink } from "../frame/button.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { Pager, Search, SelectFilter, TimeSort } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { requirePermission } from "../http/staff.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "customers");
  const { before, after, ...search } = customerSearchOf(new URL(request.url).searchParams);
  return searchCustomers(db(), search, { before, after });
}

const NEWSLETTER = [
  { value: "yes", name: "With the newsletter" },
  { value: "no", name: "Without it" },
];
const BOUGHT = [
  { value: "yes", name: "Have bought" },
  { value: "no", name: "Have not yet" },
];

export default function Customers() {
  const { customers, newer, older } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  const exported = new URLSearchParams(params);
  for (const name of ["before", "after", "forgotten"]) exported.delete(name);
  return (
    <Page
      title="Customers"
      actions={
        <PlainLink href={`/customers/export.csv?${exported}`} download>
          <DownloadIcon className="size-5" />
          Export
        </PlainLink>
      }
    >
      {params.has("forgotten") && params.size === 1 && (
        <Notice kind="done">
          The customer is forgotten. Backups that were made before still hold everything, and the payment provider keeps
          what it knows on its own.
        </Notice>
      )}
      <div className="flex flex-wrap gap-2 py-3">
        <Search label="Name, email or phone" />
        <SelectFilter name="bought" label="Bought or not" options={BOUGHT} />
        <SelectFilter name="newsletter" label="Newsletter" options={NEWSLETTER} />
        <TimeSort />
      </div>
      {customers.length === 0 ? (
        <Empty />
      ) : (
        <>
          <CustomersTable customers={customers} />
          <Pager
            about={`${customers.length} ${customers.length === 1 ? "customer" : "customers"} on this page`}
            newer={newer}
            older={older}
          />
        </>
      )}
    </Page>
  );
}

function Empty() {
  const [params] = useSearchParams();
  const isNarrowed = ["q", "newsletter", "bought"].some((name) => params.get(name));
  return (
    <div className="grid justify-items-start gap-3 py-6">
      <p className="text-muted">{isNarrowed ? "No customer fits." : "Nobody has an account yet."}</p>
      {isNarrowed && (
        <ButtonLink look="line" to="/customers">
          See all customers
        </ButtonLink>
      )}
    </div>
  );
}
