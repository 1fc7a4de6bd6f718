import { useFollowCart } from "#app/cart/store/use-follow-cart.browser.ts";
import type { AwaitedOrder } from "#app/orders/news/news.ts";
import { OrderSummary } from "#app/orders/summary.tsx";
import { type OrderView, rateOfOrder, sumsOfOrder } from "#app/orders/view.ts";
import { AddressLines } from "#app/shipping/address-lines.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ClockIcon } from "#app/ui/icons.tsx";

type Props = { awaited: AwaitedOrder; order: OrderView; isAnswered: boolean; cartVersion: number };

/**
 * The page in place of the checkout form while a transfer is pending, whatever tab or device it was started on. Each
 * load of the page asks the provider.
 */
export function AwaitedPayment({ awaited, order, isAnswered, cartVersion }: Props) {
  useFollowCart(cartVersion, true); // a paid order takes its pieces out of the cart
  const { sum, byPayer, started, lookedAt } = awaited;
  return (
    <main className="page grid max-w-[83.5rem]! gap-8 py-6 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-x-20 lg:py-12">
      <div className="lg:col-start-2 lg:row-start-1">
        <OrderSummary lines={order.lines} sums={sumsOfOrder(order)} rate={rateOfOrder(order)} />
      </div>
      <div className="grid content-start gap-7 lg:col-start-1 lg:row-start-1">
        <section
          aria-labelledby="awaited"
          className="grid gap-4 rounded-cut border border-ink bg-white px-4 py-6 lg:p-8"
        >
          <p className="flex items-center gap-2 font-semibold text-ember-deep">
            <ClockIcon className="size-5" /> Payment in progress
          </p>
          <h1 id="awaited" className="headline text-2xl sm:text-4xl">
            <span>{byPayer ? "We’re waiting for your payer’s payment of" : "We’re waiting for your payment of"}</span>{" "}
            <span className="price">{sum}</span>
          </h1>
          <p className="max-w-xl">
            <span>{`Started ${started}.`}</span> Most transfers arrive within ten minutes, some take a day.{" "}
            <span>{heldText(awaited)}</span> You can close this page:{" "}
            <span>{`we’ll email you when ${byPayer ? "the" : "your"} payment arrives.`}</span>
          </p>
          <p className="flex flex-wrap gap-3">
            <ButtonLink to="/checkout" className="grow lg:grow-0">
              Check again
            </ButtonLink>{" "}
            <ButtonLink to="/checkout?another=way" look="outline" className="grow lg:grow-0">
              Pay another way
            </ButtonLink>
          </p>
          <p role="status" className="text-sm text-muted">
            <span>
              {isAnswered
                ? `Last checked ${lookedAt}: not received yet.`
                : byPayer
                  ? `We couldn’t reach the bank at ${lookedAt}. Anything they’ve paid is safe.`
                  : `We couldn’t reach your bank at ${lookedAt}. Anything you’ve paid is safe.`}
            </span>{" "}
            <span>
              {byPayer
                ? "If you pay too and both payments arrive, we’ll refund one of them in full."
                : "If you’ve already sent it, don’t send it again. We check with your bank before you pay another way."}
            </span>
          </p>
        </section>
        <section aria-labelledby="goes-to" className="grid gap-3 border-t border-hairline pt-5">
          <h2 id="goes-to" className="headline text-lg">
            It goes to
          </h2>
          <AddressLines shipping={order.shipping} />
        </section>
      </div>
    </main>
  );
}

function heldText({ heldUntil }: AwaitedOrder): string {
  if (heldUntil) return `We’re holding your items until ${heldUntil}.`;
  return "We’re no longer holding your items. If they’re sold when your money arrives, we’ll refund all of it.";
}

/** A notice above the form, for a shopper who pays another way while a transfer is pending. */
export function StillUnderWay({ sum, byPayer, started }: AwaitedOrder) {
  return (
    <p role="status" className="flex gap-3 bg-ember/15 p-4">
      <ClockIcon className="size-6 shrink-0 text-ember-deep" />
      <span>
        <span>{byPayer ? "The bank says that your payer’s payment of" : "Your bank says that your payment of"}</span>{" "}
        <b className="price font-semibold">{sum}</b>, <span>{`started ${started}`}</span>, is still in progress. If both
        arrive, we’ll refund one of them in full.
      </span>
    </p>
  );
}
