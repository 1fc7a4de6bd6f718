import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { listCollections } from "#app/owner/collections/collections.server.ts";
import { may } from "#app/staff/roles.ts";
import { PlusIcon } from "#app/ui/icons.tsx";
import { CollectionsTable } from "../collections/table.tsx";
import { ButtonLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { List } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { requirePermission } from "../http/staff.server.ts";

export async function loader({ context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "products");
  return { rows: await listCollections(db()), mayChange: may(role, "catalogue") };
}

export default function Collections() {
  useFresh();
  const { rows, mayChange } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Collections"
      back={{ to: "/products", title: "Products" }}
      actions={
        mayChange && (
          <ButtonLink to="/collections/new">
            <PlusIcon className="size-5" />
            New <span className="max-lg:sr-only">collection</span>
          </ButtonLink>
        )
      }
    >
      <List
        rows={rows}
        one="collection"
        nothing="No collections. A collection has products that you choose, and a page of its own in the shop."
        all="/collections"
      >
        <CollectionsTable collections={rows} />
      </List>
    </Page>
  );
}
