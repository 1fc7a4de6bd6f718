import { Activity, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router";
import { sentText } from "#app/orders/returns/exchange.ts";
import type { Act } from "#app/owner/orders/orders.server.ts";
import type { ViewedReturn } from "#app/owner/returns/view.server.ts";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { ConflictNotice } from "../conflict/notice.tsx";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Hint } from "../frame/page.tsx";
import { emailHint, PanelForm, SinceNotice, useSeen } from "../orders/panel.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { RefundForm } from "./refund-form.tsx";
import { SendForm } from "./send-form.tsx";
import type { StepProps } from "./step.ts";

/** The result of the last submit. `intent` is missing if no response arrived. */
type Done = { intent?: string } & (
  | { ok: true }
  | { ok: false; problem?: string; problems?: Partial<Record<string, string>>; since?: Act[] }
);
type Step = "answer" | "await" | "refund" | "send";

/** The next step of a return. Undefined if it is closed. */
function stepOf({ state, sendBack, wish }: Pick<ViewedReturn, "state" | "sendBack" | "wish">): Step | undefined {
  if (state === "asked") return "answer";
  if (state === "approved" && sendBack) return "await";
  if (state === "approved" || state === "received") return wish === "money" ? "refund" : "send";
  return;
}

const TITLES: Record<Step | "decline", string> = {
  answer: "Your answer",
  await: "When the items arrive",
  refund: "Refund it",
  send: "Send the other size",
  decline: "Decline it",
};

const INTENTS: typeof TITLES = {
  answer: "approve",
  await: "receive",
  refund: "refund",
  send: "exchange",
  decline: "decline",
};
/** Fields that show their own error messages. */
const FIELDS = ["message", "naira", "carrier", "tracking"];

type Props = {
  given: ViewedReturn;
  done: Done | undefined;
  isPending: boolean;
  mayRefund: boolean;
  dueIfNow: string;
};

/** The form of a return's next step. Unsent input stays even if another member changes the return meanwhile. */
export function NextStep({ given, done, isPending, mayRefund, dueIfNow }: Props) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const step = stepOf(given);
  const [shown, show] = useState(step);
  const [way, setWay] = useState<Step | "decline">();
  const [isTyping, setTyping] = useState(false);
  const [message, setMessage] = useState("");
  const seen = useSeen(given.version, given.acts);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer of the server
  useEffect(() => {
    if (done?.ok) leave();
  }, [done]);
  useEarlyInput(section, () => setTyping(true));
  function leave() {
    setTyping(false);
    setWay(undefined);
    setMessage("");
  }
  if (shown !== step && !isTyping) {
    show(step);
    setWay(undefined);
    seen.goOn();
  }
  const asked = way ?? shown;
  const tooLate = done && !done.ok && !isTyping && done.since && (
    <SinceNotice acts={done.since}>
      Somebody was faster, so nothing was done. This is the return as it is now.
    </SinceNotice>
  );
  if (!asked) return tooLate || null;
  const isOfThis = done?.intent === undefined || done.intent === INTENTS[asked];
  const refused = done && !done.ok && isOfThis && !done.since ? done : undefined;
  const problems = refused?.problems ?? {};
  const elsewhere = Object.entries(problems).find(([name]) => !FIELDS.includes(name))?.[1];
  const props: StepProps = {
    given,
    firstName: given.shipping.firstName,
    form: { seen, isPending, problem: refused?.problem ?? elsewhere },
    problems,
    message,
    onMessage: setMessage,
    onDecline: () => setWay("decline"),
    onChoose: () => setTyping(true),
    dueIfNow,
  };
  const quiet = (title: string, onPress: () => void) => (
    <Button type="button" look="quiet" onPress={onPress} className="font-normal">
      {title}
    </Button>
  );
  const back = way && quiet("Back", () => setWay(undefined));
  const decline = quiet("Decline it", () => setWay("decline"));
  const keeps = given.state === "approved";
  return (
    <section
      ref={section}
      aria-labelledby={id}
      onChange={() => setTyping(true)}
      className="-mx-4 mt-7 grid content-start gap-4.5 bg-white px-4 py-5 lg:mx-0 lg:mt-5 lg:border lg:border-hairline lg:p-5"
    >
      <h2 id={id} className="text-lg">
        {asked === "send" ? `Send the ${sentText(given.pieces)}` : TITLES[asked]}
      </h2>
      {tooLate}
      {shown !== step && seen.since.length === 0 && (
        <ConflictNotice
          head="The return has changed since you began."
          choice={
            <Button type="button" look="line" onPress={leave}>
              Discard mine
            </Button>
          }
        />
      )}
      {shown === "answer" && (
        <Activity mode={asked === "answer" ? "visible" : "hidden"}>
          <AnswerForm {...props} />
        </Activity>
      )}
      {asked === "decline" && <DeclineForm {...props} others={<Others>{back}</Others>} />}
      {asked === "await" && (
        <PanelForm
          {...props.form}
          intent="receive"
          submit="The items have arrived"
          asks={{
            question: `${emailHint(given.hasEmail, `${props.firstName || "The shopper"} will be emailed that they’re back with you.`)} This can’t be undone.`,
            yes: "Yes, they are here",
          }}
        >
          <p>
            They are awaited. From the day they come,{" "}
            <span>{given.wish === "money" ? "the money" : `the ${sentText(given.pieces)}`}</span> is due.
          </p>
          <Others>
            {quiet("They don’t need to come back", () => setWay(given.wish === "money" ? "refund" : "send"))}
            {decline}
          </Others>
        </PanelForm>
      )}
      {asked === "refund" &&
        (given.refundable && mayRefund ? (
          <RefundForm
            {...props}
            refundable={given.refundable}
            keeps={keeps}
            others={<Others>{back || decline}</Others>}
          />
        ) : (
          <p>
            <span>{given.refundable ? "Your role can’t refund." : "Its order has been refunded, so decline it."}</span>{" "}
            <Link to={`/orders/${given.orderNumber}`} className="underline underline-offset-3">
              The order
            </Link>
          </p>
        ))}
      {asked === "send" && (
        <SendForm
          {...props}
          keeps={keeps}
          others={
            <Others>
              {back || decline}
              {mayRefund && !way && quiet("Refund instead", () => setWay("refund"))}
            </Others>
          }
        />
      )}
    </section>
  );
}

function Others({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap gap-x-5">{children}</div>;
}

/** The form to decline a return, with a reason. */
function DeclineForm({ given, form, firstName, problems, message, onMessage, others }: StepProps) {
  return (
    <PanelForm
      {...form}
      intent="decline"
      submit={given.hasEmail ? `Decline, and tell ${firstName || "the shopper"}` : "Decline"}
    >
      <Field label={`Why, in your words to ${firstName || "the shopper"}`} problem={problems.message}>
        <textarea
          name="message"
          rows={4}
          maxLength={1000}
          value={message}
          onChange={({ target }) => onMessage(target.value)}
          className="input"
        />
      </Field>
      <Hint>
        {`This return ends here. They can ask again within the ${given.numbers.returnDays} days, and a reserved size can be bought again. `}
        <span>{!given.hasEmail && emailHint(false)}</span>
      </Hint>
      {others}
    </PanelForm>
  );
}
