import { useState } from "react";
import { Link } from "react-router";
import { CANCEL_CAUSES, REFUND_CAUSES } from "#app/orders/refund-causes.ts";
import type { OrderMailKind } from "#app/owner/orders/mail-kinds.ts";
import { MAIL_NAMES } from "#app/owner/orders/mail-kinds.ts";
import { Field } from "../frame/field.tsx";
import { Notice } from "../frame/notice.tsx";
import { Hint } from "../frame/page.tsx";
import { emailHint, Panel, PanelForm, type useSeen } from "./panel.tsx";

type Common = { seen: ReturnType<typeof useSeen>; problem?: string; isPending: boolean };

/** The panel that marks an order as sent, with carrier and tracking number. */
export function SendPanel({
  parcel,
  carriers,
  isSent,
  isDisputed,
  hasEmail,
  ...form
}: Common & {
  parcel: { carrier: string; tracking: string };
  /** The names of the carriers whose tracking numbers become links. */
  carriers: string[];
  isSent: boolean;
  isDisputed: boolean;
  hasEmail: boolean;
}) {
  const correct = hasEmail ? "Correct, and tell the shopper" : "Correct the parcel";
  return (
    <Panel title={isSent ? "Correct the parcel" : "Mark as sent"}>
      <PanelForm {...form} intent="send" submit={isSent ? correct : "Mark as sent"}>
        {isDisputed && !isSent && <Disputed />}
        <Field label="Carrier" note="optional">
          <input
            name="carrier"
            list="carriers"
            defaultValue={parcel.carrier}
            maxLength={100}
            autoComplete="off"
            className="input"
          />
        </Field>
        <datalist id="carriers">
          {carriers.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field label="Tracking number" note="optional">
          <input name="tracking" defaultValue={parcel.tracking} maxLength={100} autoComplete="off" className="input" />
        </Field>
        <Hint>{emailHint(hasEmail, "We email both to the shopper.")}</Hint>
      </PanelForm>
    </Panel>
  );
}

/** The panel that marks an order as ready at its pick-up centre. */
export function ReadyPanel({
  center,
  isDisputed,
  hasEmail,
  ...form
}: Common & { center: string; isDisputed: boolean; hasEmail: boolean }) {
  return (
    <Panel title="Ready for pick-up">
      <PanelForm {...form} intent="ready" submit="Mark as ready">
        {isDisputed && <Disputed />}
        <p>{emailHint(hasEmail, `We email the shopper that it’s waiting at ${center}.`)}</p>
      </PanelForm>
    </Panel>
  );
}

function Disputed() {
  return (
    <Notice kind="error">
      <strong className="font-semibold">The bank may take this payment back.</strong> Send it only if you trust this
      shopper.
    </Notice>
  );
}

/** The panel that marks a parcel as returned to the shop undelivered. */
export function ReturnPanel(form: Common) {
  return (
    <Panel title="It came back">
      <PanelForm {...form} intent="return" submit="Yes, all of it is back">
        <p>
          For a whole parcel that’s back: it couldn’t be delivered, or nobody picked it up. The shopper reads “Back with
          us” and can no longer ask for a return. This can’t be undone.
        </p>
        <p>
          This changes no money or stock; a refund does. Items that a shopper sends back are under{" "}
          <Link to="/returns" className="underline underline-offset-3">
            Returns
          </Link>
          .
        </p>
      </PanelForm>
    </Panel>
  );
}

/**
 * The panel that marks an order as delivered, today or on an earlier day. `left` is the day on which it was sent or
 * became ready.
 */
export function DeliverPanel({
  isPickUp,
  left,
  today,
  dayProblem,
  ...form
}: Common & { isPickUp: boolean; left?: string; today: string; dayProblem?: string }) {
  const title = isPickUp ? "Picked up" : "Delivered";
  return (
    <Panel title={title}>
      <PanelForm {...form} intent="deliver" submit={`Mark as ${title.toLowerCase()}`}>
        <Field label="On" problem={dayProblem}>
          <input type="date" name="day" defaultValue={today} min={left} max={today} required className="input" />
        </Field>
        <Hint>
          The times for a return, and for telling of damage, count from then: of an earlier day, from its end.
        </Hint>
      </PanelForm>
    </Panel>
  );
}

/** The panel that cancels an order that has not been sent. */
export function CancelPanel({
  isPaid,
  sum,
  hasEmail,
  ...form
}: Common & { isPaid: boolean; sum: string; hasEmail: boolean }) {
  return (
    <Panel title="Cancel the order">
      <PanelForm {...form} intent="cancel" submit={isPaid ? `Cancel, and refund ${sum}` : "Cancel the order"}>
        <p>
          {isPaid
            ? `Everything left is refunded, ${sum}, delivery included. The items are back in stock. ${emailHint(hasEmail)}`
            : "It ends unpaid, and its items can be bought again. We first ask the payment provider whether it was paid."}
        </p>
        <Reason causes={Object.keys(CANCEL_CAUSES)} />
      </PanelForm>
    </Panel>
  );
}

/** The panel that refunds an amount for no item, such as goodwill. `back`: a text about where the money goes. */
export function GivePanel({
  left,
  back,
  hasEmail,
  giveKey,
  ...form
}: Common & { left: string; back: string; hasEmail: boolean; giveKey: string }) {
  const [key] = useState(giveKey); // kept when the screen's data is reloaded
  return (
    <Panel title="Refund an amount">
      <PanelForm {...form} intent="give" submit="Refund this amount">
        <input type="hidden" name="key" value={key} />
        <Field label="Amount in naira" note={`at most ${left}`}>
          <input name="naira" inputMode="decimal" autoComplete="off" required maxLength={20} className="input" />
        </Field>
        <Reason causes={REFUND_CAUSES} first="Goodwill" />
        <Hint>
          {back} It’s for no item, so nothing is back in stock. <span>{emailHint(hasEmail)}</span>
        </Hint>
      </PanelForm>
    </Panel>
  );
}

/** Fields for the cause of a refund, which is recorded, and for the message to the shopper. */
function Reason({ causes, first = "" }: { causes: readonly string[]; first?: string }) {
  return (
    <>
      <Field label="Reason">
        <select name="cause" required defaultValue={first} className="input">
          <option value="" disabled>
            Choose one
          </option>
          {causes.map((cause) => (
            <option key={cause}>{cause}</option>
          ))}
        </select>
      </Field>
      <Field label="Words for the shopper" note="optional">
        <textarea name="words" rows={2} maxLength={500} className="input" />
      </Field>
    </>
  );
}

/** The panel that sends one of the order's mails again. */
export function MailPanel({
  kinds,
  email,
  mailKey,
  ...form
}: Common & { kinds: OrderMailKind[]; email: string; mailKey: string }) {
  const [key] = useState(mailKey); // kept when the screen's data is reloaded
  return (
    <Panel title="Send an email again">
      <PanelForm {...form} intent="resend" submit={`Send to ${email}`} isDisabled={kinds.length === 0}>
        <input type="hidden" name="key" value={key} />
        <fieldset>
          <legend className="mb-1.5 font-semibold">Which email</legend>
          {kinds.map((kind, index) => (
            <label key={kind} className="tick">
              <input type="radio" name="kind" value={kind} defaultChecked={index === 0} />
              {MAIL_NAMES[kind]}
            </label>
          ))}
          {kinds.length === 0 && <p className="text-muted">There’s nothing to email about yet.</p>}
        </fieldset>
        <Hint>It’s written again from the order as it is now.</Hint>
      </PanelForm>
    </Panel>
  );
}
