import { useFollowCart } from "#app/cart/store/use-follow-cart.browser.ts";
import type { AwaitedOrder } from "#app/orders/news/news.ts";
import { OrderSummary } from "#app/orders/summary.tsx";
import { type OrderView, rateOfOrder, sumsOfOrder } from "#app/orders/view.ts";
import { addressLines } from "#app/shipping/address.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { ClockIcon } from "#app/ui/icons.tsx";

type Props = { awaited: AwaitedOrder; order: OrderView; isAnswered: boolean; cartVersion: number };

/** In place of the form while a payment is under way, in whatever tab or on whatever device it was begun. Each load of the page asks the provider. */
export function AwaitedPayment({ awaited, order, isAnswered, cartVersion }: Props) {
  useFollowCart(cartVersion, true); // what is paid leaves the cart
  const { sum, started, lookedAt } = awaited;
  return (
    <main className="page grid max-w-[83.5rem]! gap-8 py-6 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-x-20 lg:py-12">
      <div className="lg:col-start-2 lg:row-start-1">
        <OrderSummary lines={order.lines} sums={sumsOfOrder(order)} rate={rateOfOrder(order)} />
      </div>
      <div className="grid content-start gap-7 lg:col-start-1 lg:row-start-1">
        <h1 className="display text-3xl sm:text-5xl">SHIPPING</h1>
        <section
          aria-labelledby="awaited"
          className="grid gap-4 rounded-cut border border-ink bg-white px-4 py-6 lg:p-8"
        >
          <p className="flex items-center gap-2 font-semibold text-ember-deep">
            <ClockIcon className="size-5" /> Payment under way
          </p>
          <h2 id="awaited" className="headline text-2xl sm:text-4xl">
            We are waiting for your payment of <span className="price">{sum}</span>
          </h2>
          <p className="max-w-xl">
            Started {started}. Most transfers arrive within ten minutes, some take a day. {heldText(awaited)} You can
            close this page: we write to you when the money is here.
          </p>
          <p className="flex flex-wrap gap-3">
            <ButtonLink to="/checkout" className="grow lg:grow-0">
              Look again
            </ButtonLink>
            <ButtonLink to="/checkout?another=way" look="outline" className="grow lg:grow-0">
              Pay another way
            </ButtonLink>
          </p>
          <p role="status" className="text-sm text-muted">
            {isAnswered
              ? `Looked at ${lookedAt}, not here yet.`
              : `At ${lookedAt} the bank could not be asked: what has been paid is not lost.`}{" "}
            If you have sent the money, do not send it twice. “Pay another way” asks the bank first.
          </p>
        </section>
        <section aria-labelledby="goes-to" className="grid gap-3 border-t border-hairline pt-5">
          <h2 id="goes-to" className="headline text-lg">
            It goes to
          </h2>
          <address className="not-italic">
            {addressLines(order.shipping).map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </address>
        </section>
      </div>
    </main>
  );
}

function heldText({ heldUntil }: AwaitedOrder): string {
  if (heldUntil) return `Your pieces are put aside for it until ${heldUntil}.`;
  return "Your pieces are not put aside any more: if they are gone when the money arrives, all of it goes back to you.";
}

/** Above the form, for whoever pays another way while a payment is under way. */
export function StillUnderWay({ sum, started }: AwaitedOrder) {
  return (
    <p role="status" className="flex gap-3 bg-ember/15 p-4">
      <ClockIcon className="size-6 shrink-0 text-ember-deep" />
      <span>
        The bank says that your payment of <b className="price font-semibold">{sum}</b>, started {started}, is still
        under way. If both arrive, one of them goes back to you as a whole.
      </span>
    </p>
  );
}
