import { messages } from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { formatRate } from "#app/money/format.ts";
import type { Kobo } from "#app/money/money.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormError } from "#app/ui/field.tsx";
import { CardIcon, CoinIcon } from "#app/ui/icons.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { PaymentButton } from "./payment-button.tsx";

export type PayState =
  | { step: "choose" }
  | { step: "opening" }
  /** The provider's window is open; a modal dialog would lie over it, so ours steps aside. */
  | { step: "popup" }
  | { step: "confirming" }
  | { step: "stuck"; text: string; href?: string; hrefText?: string };

type Props = {
  onClose(): void;
  currency: "USD" | "NGN";
  onNaira(): void;
  kobo: Kobo;
  rate: Rate;
  state: PayState;
  onPay(): void;
};

const OPTION = "flex min-h-20 w-full items-center gap-4 rounded-cut border px-5 py-4 text-left";

export function PaymentDialog({ onClose, currency, onNaira, kobo, rate, state, onPay }: Props) {
  const naira = currency === "NGN";
  return (
    <Dialog open={state.step !== "popup"} onClose={onClose} title={messages.payment.dialogTitle}>
      <div className="grid gap-4 p-5" aria-live="polite">
        <PaymentButton
          text="Paystack"
          amount={kobo}
          note={`at $1 = ${formatRate(rate)}`}
          disabled={!naira || state.step === "opening" || state.step === "confirming"}
          onClick={onPay}
          icon={<CardIcon className="size-7 shrink-0" />}
        />
        {!naira && (
          <>
            <FormError>{messages.payment.notNaira}</FormError>
            <Button type="button" look="outline" onClick={onNaira}>
              Pay in naira (NGN)
            </Button>
          </>
        )}
        <button type="button" disabled className={`${OPTION} border-hairline text-muted`}>
          <CoinIcon className="size-7 shrink-0" />
          {messages.payment.crypto}
        </button>
        <Progress state={state} />
      </div>
    </Dialog>
  );
}

function Progress({ state }: { state: PayState }) {
  if (state.step === "choose" || state.step === "popup") return null;
  if (state.step === "stuck") {
    return (
      <FormError>
        {state.text}{" "}
        {state.href && (
          <a href={state.href} className="underline underline-offset-4">
            {state.hrefText}
          </a>
        )}
      </FormError>
    );
  }
  return (
    <p className="flex items-center gap-3">
      <Spinner size="small" />{" "}
      {state.step === "opening" ? "Opening the payment ..." : "Confirming your payment. Please do not pay again ..."}
    </p>
  );
}
