import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { collectionChoices } from "#app/owner/collections/collections.server.ts";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { NEW_OFFER_CHANGES } from "../offers/changes.server.ts";
import { OfferScreen } from "../offers/screen.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "offers");
  return { collections: await collectionChoices(db()) };
}

export const action = changes(NEW_OFFER_CHANGES);
export const clientAction = keepWhatIsTyped;

export default function NewOffer() {
  const { collections } = useLoaderData<typeof loader>();
  return (
    <OfferScreen
      title="New offer"
      back={{ to: "/offers", title: "Offers" }}
      collections={collections}
      submit="Start this offer"
    />
  );
}
