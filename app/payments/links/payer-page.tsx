import { Form } from "react-router";
import * as messages from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, FormError } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import type { Settlement } from "../outcomes.ts";
import { type OrderToPay, sumToPay, ToPayPage } from "./to-pay.tsx";

/** What whoever pays may know of a shopper's order: nothing about where it goes to. */
export type PayerView = {
  order: OrderToPay;
  firstName: string;
  /** What the shopper says, as plain text; empty: nothing. */
  line: string;
};

/** What was wrong with the payer's form, and the address that was typed. */
export type PayerAnswer = { problem?: string; emailError?: string; email?: string };

/** The page of a shopper's link, for somebody else who pays without an account. */
export function PayerPage({ order, firstName, line, answer }: PayerView & { answer?: PayerAnswer }) {
  return (
    <ToPayPage
      order={order}
      title={`${firstName} asks you to pay`}
      isOwn={false}
      note={
        line && (
          <blockquote className="border-l-2 border-ink pl-4 text-lg wrap-anywhere">
            <p>{line}</p>
          </blockquote>
        )
      }
    >
      {/* The answer leads to the provider's page, which the browser has to load as a document. */}
      <Form method="post" reloadDocument noValidate className="grid gap-5">
        <FormError>{answer?.problem}</FormError>
        <EmailField
          required
          defaultValue={answer?.email}
          error={answer?.emailError}
          hint="Your receipt goes there, and word of money that goes back."
        />
        <Button>{`Pay ${sumToPay(order)}`}</Button>
        <p className="text-sm text-muted">
          <span>{`You need no account: the order is ${firstName}’s.`}</span> If money goes back, it goes to what you
          paid with. If somebody has paid already, we tell you and take nothing.
        </p>
      </Form>
    </ToPayPage>
  );
}

/** A payment by somebody else, as its payer sees it on coming back from the provider. */
export type PayerThanks = { number: string; firstName: string; outcome: Settlement["outcome"] };

const textsOf = (): Record<Settlement["outcome"], { title: string; text: string }> => ({
  sold: { title: "Thank you for paying", text: messages.payerLink.thanks },
  pending: { title: "Waiting for your payment", text: messages.payerLink.waiting },
  unpaid: { title: "Not paid", text: messages.payerLink.notPaid },
  refunding: { title: "Your money goes back", text: messages.payerLink.goesBack },
  unavailable: { title: "Still checking", text: messages.payerLink.checking },
  "unknown-reference": { title: "Still checking", text: messages.payerLink.checking },
});

export function ThanksPage({ number, firstName, outcome }: PayerThanks) {
  const { title, text } = textsOf()[outcome];
  return (
    <Notice title={title}>
      <p className="price text-muted">{`Order ${number}`}</p>
      {outcome === "sold" && firstName && <p className="text-lg">{`${firstName}’s order is paid.`}</p>}
      <p role="status" className="text-lg">
        {text}
      </p>
      <Help about={`order ${number}`} />
    </Notice>
  );
}
