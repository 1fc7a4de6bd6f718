import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { listSizeGuides } from "#app/owner/size-guides/size-guides.server.ts";
import { may } from "#app/staff/roles.ts";
import { PlusIcon } from "#app/ui/icons.tsx";
import { ButtonLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { List } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { SizeGuidesTable } from "../size-guides/table.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "products");
  return { rows: await listSizeGuides(db()), mayChange: may(role, "catalogue") };
}

export default function SizeGuides() {
  useFresh();
  const { rows, mayChange } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Size guides"
      back={{ to: "/products", title: "Products" }}
      actions={
        mayChange && (
          <ButtonLink to="/size-guides/new">
            <PlusIcon className="size-5" />
            New <span className="max-lg:sr-only">size guide</span>
          </ButtonLink>
        )
      }
    >
      <List
        rows={rows}
        one="size guide"
        nothing="No size guides. Until you make one, product pages show the shop’s own sizes."
        all="/size-guides"
      >
        <SizeGuidesTable guides={rows} />
      </List>
    </Page>
  );
}
