import { useState } from "react";
import type { OrderMailKind } from "#app/owner/orders/mail-kinds.ts";
import { MAIL_NAMES } from "#app/owner/orders/mail-kinds.ts";
import { Field } from "../frame/field.tsx";
import { Panel, PanelForm, type useSeen } from "./panel.tsx";

type Common = { seen: ReturnType<typeof useSeen>; problem?: string; isPending: boolean };

/** It leaves: with whom and under which number. */
export function SendPanel({
  parcel,
  isSent,
  ...form
}: Common & { parcel: { carrier: string; tracking: string }; isSent: boolean }) {
  return (
    <Panel title={isSent ? "Correct the parcel" : "Mark as sent"}>
      <PanelForm {...form} intent="send" submit={isSent ? "Correct, and tell the shopper" : "Mark as sent"}>
        <Field label="Carrier" note="optional">
          <input name="carrier" defaultValue={parcel.carrier} maxLength={100} autoComplete="off" className="input" />
        </Field>
        <Field label="Its number" note="optional">
          <input name="tracking" defaultValue={parcel.tracking} maxLength={100} autoComplete="off" className="input" />
        </Field>
        <p className="text-[0.8125rem] leading-4.5 text-muted">The shopper is mailed both.</p>
      </PanelForm>
    </Panel>
  );
}

/** It is with its shopper: since today, or since a day that was learnt of late. `left`: the day on which it was sent, or ready. */
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
        <p className="text-[0.8125rem] leading-4.5 text-muted">
          The times for a return, and for telling of damage, count from then: of an earlier day, from its end.
        </p>
      </PanelForm>
    </Panel>
  );
}

/** It ends, as long as it is here. */
export function CancelPanel({ isPaid, sum, ...form }: Common & { isPaid: boolean; sum: string }) {
  return (
    <Panel title="Cancel the order">
      <PanelForm {...form} intent="cancel" submit={isPaid ? `Cancel, and give back ${sum}` : "Cancel the order"}>
        <p>
          {isPaid
            ? `All that is left of the money goes back, ${sum}, delivery included. The pieces are in stock again. The shopper is told.`
            : "It ends unpaid, and its pieces can be bought again. The provider is asked first whether it has been paid."}
        </p>
      </PanelForm>
    </Panel>
  );
}

/** A mail goes out once more. */
export function MailPanel({
  kinds,
  email,
  mailKey,
  ...form
}: Common & { kinds: OrderMailKind[]; email: string; mailKey: string }) {
  const [key] = useState(mailKey); // stays when the screen is loaded anew
  return (
    <Panel title="Send a mail again">
      <PanelForm {...form} intent="resend" submit={`Send to ${email}`} isDisabled={kinds.length === 0}>
        <input type="hidden" name="key" value={key} />
        <fieldset>
          <legend className="mb-1.5 font-semibold">Which mail</legend>
          {kinds.map((kind, index) => (
            <label key={kind} className="tick">
              <input type="radio" name="kind" value={kind} defaultChecked={index === 0} />
              {MAIL_NAMES[kind]}
            </label>
          ))}
          {kinds.length === 0 && <p className="text-muted">There is nothing to tell of yet.</p>}
        </fieldset>
        <p className="text-[0.8125rem] leading-4.5 text-muted">It is written anew from the order as it is now.</p>
      </PanelForm>
    </Panel>
  );
}
