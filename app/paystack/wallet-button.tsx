import { useEffect, useEffectEvent, useRef, useState } from "react";
import * as messages from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import type { WalletButtonProps } from "#app/payment-provider/in-browser.ts";
import { Spinner } from "#app/ui/spinner.tsx";
import { mountWallet } from "./wallet.browser.ts";

/** The library's own button, which the wallet's rules demand, in the shop's shape. */
export function WalletButton({ accessCode, checkoutUrl, kobo, hidden, onOutcome }: WalletButtonProps) {
  const host = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const tell = useEffectEvent(onOutcome);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    mountWallet({
      accessCode,
      checkoutUrl,
      host: host.current,
      signal,
      onPressOutcome: (outcome) => tell(outcome),
    }).then(
      (isThere) => (isThere ? setReady(true) : tell("none")),
      (error) => {
        if (signal.aborted) return;
        console.error(messages.payment.walletNotStarted, error);
        tell("broken");
      },
    );
    return () => leaving.abort();
  }, [accessCode, checkoutUrl]);
  useEffect(() => {
    if (ready && !hidden) host.current?.querySelector<HTMLElement>("[aria-label]")?.focus();
  }, [ready, hidden]);
  return (
    <div hidden={hidden}>
      <div
        ref={host}
        className="[&_.apple-pay-button]:block! [&_.apple-pay-button]:min-h-14! [&_.apple-pay-button]:w-full! [&_.apple-pay-button]:rounded-cut!"
      />
      {ready ? (
        <p className="mt-2 text-sm">{`Press it to pay ${formatKobo(kobo)}.`}</p>
      ) : (
        <p className="flex items-center gap-3">
          <Spinner size="small" /> Opening Apple Pay ...
        </p>
      )}
    </div>
  );
}
