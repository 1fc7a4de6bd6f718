import type { LoaderFunctionArgs } from "react-router";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { NEW_OFFER_CHANGES } from "../offers/changes.server.ts";
import { OfferScreen } from "../offers/screen.tsx";

export function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "offers");
  return null;
}

export const action = changes(NEW_OFFER_CHANGES);
export const clientAction = keepWhatIsTyped;

export default function NewOffer() {
  return <OfferScreen title="New offer" back={{ to: "/offers", title: "Offers" }} submit="Start this offer" />;
}
