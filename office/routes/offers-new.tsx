import type { LoaderFunctionArgs } from "react-router";
import { useAnswer } from "../connection/answer.ts";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { NEW_OFFER_CHANGES } from "../offers/changes.server.ts";
import { OfferForm } from "../offers/form.tsx";
import { OfferPreview } from "../offers/preview.tsx";

export function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "offers");
  return null;
}

export const action = changes(NEW_OFFER_CHANGES);
export const clientAction = keepWhatIsTyped;

/** The form of a new offer, and after it what the offer does. */
export default function NewOffer() {
  const done = useAnswer<typeof action>();
  const refused = done && !done.ok ? done : undefined;
  const problems = refused && "problems" in refused ? refused.problems : {};
  const shown = refused && "offer" in refused ? refused.offer : undefined;
  const typed = refused && "typed" in refused ? refused.typed : undefined;
  return (
    <Page title="New offer" back={{ to: "/offers", title: "Offers" }}>
      {refused && "problem" in refused && <Notice kind={shown ? "info" : "error"}>{refused.problem}</Notice>}
      {Object.keys(problems).length > 0 && <Notice kind="error">Something is missing or not right: see below.</Notice>}
      {shown && typed && <OfferPreview offer={shown} typed={typed} />}
      <div className="max-w-[44rem]">
        <OfferForm typed={typed} problems={problems} />
      </div>
    </Page>
  );
}
