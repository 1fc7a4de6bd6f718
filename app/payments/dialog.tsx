import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { formatRate } from "#app/money/format.ts";
import type { Kobo } from "#app/money/money.ts";
import type { Unheld } from "#app/orders/units.ts";
import type { ProviderDescription } from "#app/payment-provider/contract.ts";
import type { Wallet, WalletOutcome } from "#app/payment-provider/in-browser.ts";
import { WALLETS } from "#app/providers/wallets.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormError } from "#app/ui/field.tsx";
import { CardIcon, CheckIcon, CoinIcon, WalletIcon } from "#app/ui/icons.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { PaymentButton } from "./button.tsx";

export type PayWay = "popup" | "wallet";

export type PayState =
  | { step: "choose" }
  | { step: "opening" }
  /** The provider's popup is open. The dialog is hidden, as a modal dialog would cover the popup. */
  | { step: "popup" }
  /** The wallet's button is shown. `asking`: the wallet has failed, and the server is being asked about the payment. */
  | { step: "wallet"; reference: string; accessCode: string; asking?: boolean; problem?: string }
  | { step: "confirming" }
  | { step: "paid" }
  | { step: "stuck"; text: string; href?: string; hrefText?: string };

/** The description of the checkout's provider, as far as the dialog shows it. */
export type CheckoutProvider = Pick<ProviderDescription, "id" | "name" | "paidWith">;

type Props = {
  provider: CheckoutProvider;
  onClose(): void;
  currency: "USD" | "NGN";
  onNaira(): void;
  kobo: Kobo;
  rate: Rate;
  unheld?: Unheld;
  state: PayState;
  onPay(way: PayWay): void;
  /** Whether this shop takes wallets. */
  takesWallet: boolean;
  checkoutUrl: string;
  onWallet(outcome: WalletOutcome): void;
};

const OPTION = "flex min-h-20 w-full items-center gap-4 rounded-cut border px-5 py-4 text-left";

export function PaymentDialog({
  provider,
  onClose,
  currency,
  onNaira,
  kobo,
  rate,
  unheld,
  state,
  onPay,
  takesWallet,
  checkoutUrl,
  onWallet,
}: Props) {
  const naira = currency === "NGN";
  const card = useRef<HTMLButtonElement>(null);
  const wallet = useWallet(takesWallet ? WALLETS[provider.id] : undefined);
  const price = { amount: kobo, note: `at $1 = ${formatRate(rate)}` };
  useEffect(() => card.current?.focus(), []); // instead of the Close button
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
        {unheld && <p className="font-medium text-ember-deep">{messages.order.unheld[unheld]}</p>}
        <PaymentButton
          {...price}
          note={`${price.note}, by ${provider.name}`}
          ref={card}
          text={provider.paidWith}
          disabled={disabled}
          onClick={() => onPay("popup")}
          icon={<CardIcon className="size-7 shrink-0" />}
        />
        {wallet && state.step !== "wallet" && (
          <PaymentButton
            {...price}
            text="Apple Pay"
            disabled={disabled}
            onClick={() => onPay("wallet")}
            icon={<WalletIcon className="size-7 shrink-0" />}
          />
        )}
        {wallet && state.step === "wallet" && (
          <wallet.Button
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
                card.current?.focus(); // the focused button has just been removed
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

/** The wallet, if the device supports it. Only the console reports a missing wallet, as most devices have none. */
function useWallet(wallet: Wallet | undefined): Wallet | undefined {
  const [isOnDevice] = useState(() => wallet?.isOnDevice() ?? false);
  useEffect(() => {
    if (wallet && !isOnDevice) console.debug(messages.payment.noWallet);
  }, [wallet, isOnDevice]);
  return isOnDevice ? wallet : undefined;
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
        <span>{state.text}</span>{" "}
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
      <span>
        {state.step === "opening" ? "Opening the payment ..." : "Confirming your payment. Please don’t pay again ..."}
      </span>
    </p>
  );
}
