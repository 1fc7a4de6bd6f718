import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { formatRate } from "#app/money/format.ts";
import type { Kobo } from "#app/money/money.ts";
import { PaymentButton } from "#app/paystack/button.tsx";
import { deviceHasWallet } from "#app/paystack/wallet.browser.ts";
import { WalletButton, type WalletOutcome } from "#app/paystack/wallet-button.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormError } from "#app/ui/field.tsx";
import { CardIcon, CheckIcon, CoinIcon, WalletIcon } from "#app/ui/icons.tsx";
import { Spinner } from "#app/ui/spinner.tsx";

export type PayWay = "popup" | "wallet";

export type PayState =
  | { step: "choose" }
  | { step: "opening" }
  /** The provider's window is open; a modal dialog would lie over it, so ours steps aside. */
  | { step: "popup" }
  /** The wallet's button waits to be pressed; `asking`: it was, and the server is asked what came of it. */
  | { step: "wallet"; reference: string; accessCode: string; asking?: boolean; problem?: string }
  | { step: "confirming" }
  | { step: "paid" }
  | { step: "stuck"; text: string; href?: string; hrefText?: string };

type Props = {
  onClose(): void;
  currency: "USD" | "NGN";
  onNaira(): void;
  kobo: Kobo;
  rate: Rate;
  /** Whether the pieces are put aside while they are paid for. */
  holdsStock: boolean;
  state: PayState;
  onPay(way: PayWay): void;
  /** Whether this shop takes wallets. */
  takesWallet: boolean;
  checkoutUrl: string;
  onWallet(outcome: WalletOutcome): void;
};

const OPTION = "flex min-h-20 w-full items-center gap-4 rounded-cut border px-5 py-4 text-left";

export function PaymentDialog({
  onClose,
  currency,
  onNaira,
  kobo,
  rate,
  holdsStock,
  state,
  onPay,
  takesWallet,
  checkoutUrl,
  onWallet,
}: Props) {
  const naira = currency === "NGN";
  const card = useRef<HTMLButtonElement>(null);
  const hasWallet = useWallet(takesWallet);
  const price = { amount: kobo, note: `at $1 = ${formatRate(rate)}` };
  const disabled = !naira || isBusy(state);
  if (state.step === "paid") {
    return (
      <Dialog open onClose={onClose} title={messages.payment.dialogTitle}>
        <p role="status" className="grid justify-items-center gap-4 px-5 py-12 text-center text-lg font-semibold">
          <CheckIcon className="size-12 rounded-full bg-palm p-2 text-white" />
          {messages.payment.done}
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog open={state.step !== "popup"} onClose={onClose} title={messages.payment.dialogTitle}>
      <div className="grid gap-4 p-5" aria-live="polite">
        {!holdsStock && <p className="font-medium text-ember-deep">{messages.order.holdsNothing}</p>}
        <PaymentButton
          {...price}
          ref={card}
          text="Paystack"
          disabled={disabled}
          onClick={() => onPay("popup")}
          icon={<CardIcon className="size-7 shrink-0" />}
        />
        {hasWallet && state.step !== "wallet" && (
          <PaymentButton
            {...price}
            text="Apple Pay"
            disabled={disabled}
            onClick={() => onPay("wallet")}
            icon={<WalletIcon className="size-7 shrink-0" />}
          />
        )}
        {state.step === "wallet" && (
          <WalletButton
            accessCode={state.accessCode}
            checkoutUrl={checkoutUrl}
            kobo={kobo}
            hidden={isBusy(state)}
            onOutcome={onWallet}
          />
        )}
        {!naira && (
          <div className="grid gap-3 bg-linen p-4">
            <p>{messages.payment.notNaira}</p>
            <Button
              type="button"
              onClick={() => {
                flushSync(onNaira);
                card.current?.focus(); // this button has gone
              }}
            >
              Pay in naira (NGN)
            </Button>
          </div>
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

/** Whether the wallet is offered. Without one that is said where nobody is disturbed: most devices have none. */
function useWallet(takesWallet: boolean): boolean {
  const [hasWallet] = useState(() => takesWallet && deviceHasWallet());
  useEffect(() => {
    if (takesWallet && !hasWallet) console.debug(messages.payment.noWallet);
  }, [takesWallet, hasWallet]);
  return hasWallet;
}

function isBusy(state: PayState): boolean {
  return state.step === "opening" || state.step === "confirming" || (state.step === "wallet" && !!state.asking);
}

function Progress({ state }: { state: PayState }) {
  if (state.step === "wallet" && !state.asking) return state.problem && <FormError>{state.problem}</FormError>;
  if (state.step === "choose" || state.step === "popup" || state.step === "paid") return null;
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
