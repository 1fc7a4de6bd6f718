import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { listOffers } from "#app/owner/offers/offers.server.ts";
import { may } from "#app/staff/roles.ts";
import { PlusIcon } from "#app/ui/icons.tsx";
import { ButtonLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { ExportLink, List, ListViews } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { offerFor } from "../offers/for-role.ts";
import { OffersTable } from "../offers/table.tsx";

const VIEWS = { now: "Running and planned", ended: "Ended" };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "discounts");
  const view: keyof typeof VIEWS = new URL(request.url).searchParams.get("view") === "ended" ? "ended" : "now";
  const all = (await listOffers(db())).map((offer) => offerFor(role, offer));
  const isOver = ({ state }: (typeof all)[number]) => state === "ended";
  const [ended, now] = [all.filter(isOver), all.filter((one) => !isOver(one))];
  const counts = { now: now.length, ended: ended.length };
  return { rows: view === "ended" ? ended : now, view, counts, mayChange: may(role, "offers") };
}

export default function Offers() {
  useFresh();
  const { rows, view, counts, mayChange } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Offers"
      actions={
        <>
          <ExportLink to="/offers/export.csv" />{" "}
          {mayChange && (
            <ButtonLink to="/offers/new">
              <PlusIcon className="size-5" />
              New <span className="max-lg:sr-only">offer</span>
            </ButtonLink>
          )}
        </>
      }
    >
      <ListViews names={VIEWS} first="now" current={view} counts={counts} />
      <List
        rows={rows}
        one="offer"
        nothing="No offers. An offer gives shoppers something off their cart."
        all="/offers"
        isAll
      >
        <OffersTable offers={rows} />
        <p className="mt-3 text-muted">{`${plural(rows.length, "offer")}. Given away: full price less what was paid, and delivery that was free.`}</p>
      </List>
    </Page>
  );
}
