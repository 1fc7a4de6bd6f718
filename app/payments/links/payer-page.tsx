import type { ReactNode } from "react";
import { Form } from "react-router";
import * as messages from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { OrderLines, SumsList } from "#app/orders/summary.tsx";
import { rateOfOrder, sumsOfOrder } from "#app/orders/view.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, FormError } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import type { OrderLine } from "#db/types.ts";
import type { Settlement } from "../outcomes.ts";

/** What whoever pays may know of a shopper's order: nothing about where it goes to. */
export type PayerView = {
  number: string;
  firstName: string;
  /** What the shopper says, as plain text; empty: nothing. */
  line: string;
  lines: OrderLine[];
  sums: { subtotalCents: number; shippingCents: number; totalCents: number; kobo: number; rate: string };
  until: string;
};

/** What was wrong with the payer's form, and the address that was typed. */
export type PayerAnswer = { problem?: string; emailError?: string; email?: string };

/** The page of a shopper's link, for somebody else who pays without an account. */
export function PayerPage({
  number,
  firstName,
  line,
  lines,
  sums,
  until,
  answer,
}: PayerView & { answer?: PayerAnswer }) {
  const rate = rateOfOrder(sums);
  const sum = formatKobo(kobo(sums.kobo));
  return (
    <main className="page grid max-w-[48rem] gap-8 py-7 lg:py-12">
      <div className="grid gap-2">
        <p className="price text-muted">{`Order ${number}`}</p>
        <h1 className="headline text-3xl sm:text-5xl">{`${firstName} asks you to pay`}</h1>
        {line && (
          <blockquote className="border-l-2 border-ink pl-4 text-lg wrap-anywhere">
            <p>{line}</p>
          </blockquote>
        )}
        <p className="text-lg">{`${sum} in all. We hold these items at this price until ${until}.`}</p>
      </div>
      <section aria-labelledby="what" className="grid gap-6 bg-linen p-4 sm:p-7">
        <h2 id="what" className="headline text-lg">
          What it’s for
        </h2>
        <OrderLines lines={lines} rate={rate} />
        <SumsList sums={sumsOfOrder(sums)} rate={rate} />
      </section>
      {/* The answer leads to the provider's page, which the browser has to load as a document. */}
      <Form method="post" reloadDocument noValidate className="grid gap-5">
        <FormError>{answer?.problem}</FormError>
        <EmailField
          required
          defaultValue={answer?.email}
          error={answer?.emailError}
          hint="Your receipt goes there, and word of money that goes back."
        />
        <Button>{`Pay ${sum}`}</Button>
        <p className="text-sm text-muted">
          <span>{`You need no account: the order is ${firstName}’s.`}</span> If money goes back, it goes to what you
          paid with. If somebody has paid already, we tell you and take nothing.
        </p>
      </Form>
      <Help about={`order ${number}`} />
    </main>
  );
}

/** The page of a link by which nothing can be paid now. */
export function ClosedLink({ number, children }: { number: string; children: ReactNode }) {
  return (
    <Notice title={`Order ${number}`}>
      <p className="text-lg">{children}</p>
      <Help about={`order ${number}`} />
    </Notice>
  );
}

/** A payment by somebody else, as its payer sees it on coming back from the provider. */
export type PayerThanks = { number: string; firstName: string; outcome: Settlement["outcome"] };

const TEXTS: Record<Settlement["outcome"], { title: string; text: string }> = {
  sold: { title: "Thank you for paying", text: messages.payerLink.thanks },
  pending: { title: "Waiting for your payment", text: messages.payerLink.waiting },
  unpaid: { title: "Not paid", text: messages.payerLink.notPaid },
  refunding: { title: "Your money goes back", text: messages.payerLink.goesBack },
  unavailable: { title: "Still checking", text: messages.payerLink.checking },
  "unknown-reference": { title: "Still checking", text: messages.payerLink.checking },
};

export function ThanksPage({ number, firstName, outcome }: PayerThanks) {
  const { title, text } = TEXTS[outcome];
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
