import { data, Form, redirect, useSearchParams } from "react-router";
import { plainFormKey, renewedKeyCookie } from "#app/account/session/cookies.server.ts";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { useBrand } from "#app/brand/context.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR, MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import { knownShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import { type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { buyAgain, readOtherSizes } from "#app/orders/again/again.server.ts";
import { cartAfter } from "#app/orders/again/changes.ts";
import { AGAIN, BuyAgain } from "#app/orders/again/form.tsx";
import { linesInSize } from "#app/orders/again/other-size.ts";
import { OrderInAnotherSize } from "#app/orders/again/other-size.tsx";
import { dayWords } from "#app/orders/fulfilment/days.ts";
import { Parcel, PickUp } from "#app/orders/fulfilment/panels.tsx";
import { Steps } from "#app/orders/fulfilment/steps.tsx";
import { isJustPaid, lastReturn, type OrderTitle, soldTitle } from "#app/orders/fulfilment/title.ts";
import { HandoverCode } from "#app/orders/handover/panel.tsx";
import { getOrder } from "#app/orders/history.server.ts";
import { moneyBack } from "#app/orders/money-back/money-back.server.ts";
import { dismissGreeting } from "#app/orders/news/news.server.ts";
import { hasReceipt } from "#app/orders/receipts/receipt.server.ts";
import { ReturnLines } from "#app/orders/returns/lines.tsx";
import type { OrderView } from "#app/orders/view.ts";
import { OrderDetails, OrderStatus, PartRefunded, PaymentReference } from "#app/orders/view.tsx";
import { isByLink } from "#app/payments/links/link.server.ts";
import { OwnLinkPanel } from "#app/payments/links/own-link.tsx";
import { endPayerLink, ownLink, payerPayment, renewPayerLink } from "#app/payments/links/payer-link.server.ts";
import type { Settlement } from "#app/payments/outcomes.ts";
import { noteNotOwn, paymentStatus } from "#app/payments/status.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError, FormNotice } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { CheckIcon, ChevronIcon, ClockIcon, CloseIcon, TruckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/order";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Your order", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/**
 * The outcome of an order's payment. Asks the provider until the payment is settled. Only the order's owner gets it.
 */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return { order: null, outcome: "signed-out" as const };
  const settled = await paymentStatus(db("checkout"), user.id, params.reference);
  const order = await getOrder(db(), user.id, params.reference);
  if (!order || !settled) throw data(null, { status: 404 });
  const { outcome } = settled;
  if (outcome === "unpaid" && order.saleId && (await payerPayment(db(), order.reference)))
    throw redirect(`/order/${encodeURIComponent(order.reference)}`, 303); // somebody else has paid it
  const isSale = outcome === "sold";
  const goesBack = isSale ? order.state !== "sold" : outcome === "refunding";
  // The shopper's own link for somebody else, or whether the order is paid by a link of staff.
  const byLink =
    outcome === "unpaid" &&
    !order.saleId &&
    ((await liveLink(user.id, order.number)) ?? (await isByLink(db(), params.reference)));
  const shown = isSale ? order : { ...order, ...NO_SALE };
  return {
    order: { ...shown, ...(await readOtherSizes(db(), shown)) },
    outcome,
    back: goesBack ? await moneyBack(db(), params.reference, order) : null,
    byLink,
    withReceipt: isSale && order.saleId !== null && (await hasReceipt(db(), order.saleId)),
    uid: user.id,
    firstName: user.firstName,
  };
}

/** The shopper's link for somebody else to pay this order, while it is held. Undefined if there is none. */
async function liveLink(userId: string, number: string): Promise<{ line: string; until: string } | undefined> {
  const own = knownShopSettings().othersPay ? await ownLink(db(), userId) : undefined;
  if (own?.number !== number) return;
  return { line: own.line, until: dayWords(new Date(), env.SHOP_TIMEZONE).dayAndTime(own.expiresAt) };
}

/**
 * The sale's fields for a payment that made no sale: it must not show the sale of another payment for the same order.
 */
const NO_SALE = { progress: null, isNew: false, staysHere: false, refunds: [], returns: [] };

/**
 * Puts the order into the cart again, or in another size what came back of it; makes a new link for somebody else to
 * pay, or ends it. Without these intents, dismisses the greeting for it, here and on the home page. Status 303; 400
 * without a size, 429 with the problem after too many orders.
 */
export async function action({ request, params }: Route.ActionArgs) {
  const user = await currentUser(request);
  const { intent, change } = await readForm(request);
  if (intent === AGAIN) return putAgain(request, user?.id, params.reference, change);
  if (intent === NEW_LINK || intent === END_LINK) return changeLink(user?.id, params.reference, intent);
  if (user) await dismissGreeting(db(), user.id, params.reference);
  throw redirect(`/order/${encodeURIComponent(params.reference)}`, 303);
}

/** Orders that an account can put into its cart within an hour: each may add 200 lines. */
const AGAIN_AN_HOUR = 30;

/** `change`: what is wrong with the chosen size. */
type AgainAnswer = { problem?: string; change?: string; url?: undefined };

const NEW_LINK = "new-link";
const END_LINK = "end-link";
/** New links that a shopper can make within ten minutes. */
const NEW_LINKS = 30;

/** The answer to a press about the link: the URL of a new one, which is stored nowhere. */
type LinkAnswer = { problem?: string; change?: undefined; url?: string };

async function changeLink(userId: string | undefined, reference: string, intent: string) {
  if (!userId) throw redirect("/login?next=/account", 303);
  if (!knownShopSettings().othersPay) throw data(null, { status: 404 });
  const order = await getOrder(db(), userId, reference);
  if (!order) await noteNotOwn(db(), userId, reference);
  if (!order) throw data(null, { status: 404 });
  const here = `/order/${encodeURIComponent(reference)}`;
  if ((await ownLink(db(), userId))?.number !== order.number) throw redirect(here, 303); // it has just ended
  if (intent === END_LINK) {
    await endPayerLink(db("checkout"), userId);
    throw redirect(`${here}?link=ended`, 303);
  }
  const limited = await limit(db(), [`payer links of ${userId}`, NEW_LINKS, 10 * MINUTE]);
  if (!limited.ok) {
    const answer: LinkAnswer = { problem: messages.form.tooOften };
    return data(answer, { status: 429, headers: { "Retry-After": String(limited.retryAfter) } });
  }
  const url = await renewPayerLink(db("checkout"), userId);
  if (!url) throw redirect(here, 303);
  return data<LinkAnswer>({ url });
}

async function putAgain(request: Request, userId: string | undefined, reference: string, change?: string) {
  if (!userId) throw redirect("/login?next=/account", 303);
  const order = await getOrder(db(), userId, reference);
  if (!order) await noteNotOwn(db(), userId, reference);
  if (!order?.saleId) throw data(null, { status: 404 });
  const limited = await limit(db(), [`orders again of ${userId}`, AGAIN_AN_HOUR, HOUR]);
  if (!limited.ok) {
    const answer: AgainAnswer = { problem: messages.form.tooOften };
    return data(answer, { status: 429, headers: { "Retry-After": String(limited.retryAfter) } });
  }
  const lines = change === undefined ? order.lines : linesInSize(order, change);
  if (change !== undefined && lines.length === 0) {
    const answer: AgainAnswer = { problem: messages.form.lookAtMarked, change: messages.sizing.choose };
    return data(answer, { status: 400 });
  }
  const what = change === undefined ? [order.reference] : [order.reference, change];
  const keyOf = (place: number) => plainFormKey(request, userId, AGAIN, ...what, String(place));
  const outcomes = await buyAgain(db(), userId, lines, keyOf);
  const cart = cartAfter(order.reference, outcomes, change);
  throw redirect(cart, { status: 303, headers: { "Set-Cookie": renewedKeyCookie() } });
}

type Outcome = Settlement["outcome"];

/** The texts for a payment without a sale. */
const answers = (): Record<"pending" | "unpaid" | "unavailable", OrderTitle> => ({
  pending: {
    title: "Waiting for your payment",
    text: "Your payment hasn’t arrived yet. We’ll keep checking: please don’t pay again.",
  },
  unpaid: { title: "Not paid", text: messages.order.notCharged },
  unavailable: {
    title: "Still checking",
    text: "We can’t reach the payment provider right now. If you’ve paid, your money is safe and we’ll keep checking. Please don’t pay again.",
  },
});

const howLong = ({ returnDays, damageHours }: Numbers) =>
  `Return or exchange within ${returnDays} days of delivery. Damaged or wrong? Tell us within ${damageHours} hours. See`;

const HELD_FOR_OTHER: OrderTitle = { title: "Not paid yet", text: "Anyone who has your link can pay for this order." };

const UNPAID_LINK: OrderTitle = {
  title: "Not paid",
  text: "Nothing was charged. To pay, open the link we sent you again.",
};

function titleOf(order: OrderView, outcome: Outcome, firstName: string): OrderTitle {
  if (outcome === "sold") return soldTitle(order, firstName);
  return answers()[outcome === "pending" || outcome === "unpaid" ? outcome : "unavailable"];
}

export default function OrderPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { wordmark } = useBrand();
  const { order, outcome, back, byLink, withReceipt, uid, firstName } = loaderData;
  useOwner(uid);
  const [query] = useSearchParams();
  if (!order) {
    return (
      <Notice title="Your order">
        <p className="text-lg">Please log in to see your order.</p>
        <ButtonLink to="/login?next=/account">Login</ButtonLink>
      </Notice>
    );
  }
  const link = typeof byLink === "object" ? byLink : undefined;
  const unpaidLink = link ? HELD_FOR_OTHER : byLink && UNPAID_LINK;
  const { title, text } = back || unpaidLink || titleOf(order, outcome, firstName);
  return (
    <main className="page grid max-w-[78rem] gap-8 py-7 lg:py-12 print:py-0">
      <div className="relative grid gap-2">
        <p className="display hidden text-2xl print:block">{wordmark}</p>
        <Link
          to="/account"
          className="inline-flex min-h-11 items-center gap-1 justify-self-start text-sm text-muted underline underline-offset-4 print:hidden"
        >
          <ChevronIcon className="size-5 rotate-90" /> Your orders
        </Link>
        <p className="price text-muted">{`Order ${order.number}`}</p>
        <h1 className="headline text-3xl sm:text-5xl">{title}</h1>
        <FormError>{actionData?.problem}</FormError>
        <FormNotice>{query.get("address") === "saved" && messages.addressing.done}</FormNotice>
        <FormNotice>{query.get("size") === "changed" && messages.sizing.done}</FormNotice>
        <FormNotice>
          {query.get("link") === "ended" && outcome === "unpaid" && !link && messages.payerLink.ended}
        </FormNotice>
        <Note order={order} text={text} />
        <PartRefunded order={order} />
        <ReturnLines order={order} />
        {order.isNew && (
          <Form method="post" preventScrollReset className="absolute top-0 right-0 print:hidden">
            <button type="submit" className="grid size-11 place-items-center">
              <CloseIcon />
              <span className="sr-only">Dismiss</span>
            </button>
          </Form>
        )}
      </div>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,42rem)_26rem] lg:justify-between">
        <div className="grid content-start gap-8 print:hidden">
          {!byLink && <NextAction outcome={outcome} order={order} />}
          {link && (
            <Form method="post" preventScrollReset>
              <OwnLinkPanel {...link} url={actionData?.url} />
            </Form>
          )}
          {order.progress && (
            <>
              <HandoverCode order={order} />
              <Parcel order={order} />
              <PickUp order={order} />
              <Steps steps={order.progress.steps} label="Steps of your order" />
              <section aria-labelledby="wrong" className="grid gap-2 border-t border-hairline pt-5">
                <h2 id="wrong" className="headline text-lg">
                  Something not right?
                </h2>
                <p>
                  {howLong(order.numbers ?? SHIPPED_NUMBERS)}{" "}
                  <Link to="/returnpolicy" className="underline underline-offset-4">
                    how returns work
                  </Link>
                  .
                </p>
                {mayReturn(order) && (
                  <ButtonLink to={`/order/${order.reference}/return`} look="outline" className="justify-self-start">
                    {order.returns.length > 0 ? "Your returns" : "Return or exchange"}
                  </ButtonLink>
                )}
                <Help about={`my order ${order.number}`} />
              </section>
            </>
          )}
          <OrderInAnotherSize reference={order.reference} sizes={order.otherSizes} error={actionData?.change} />
          <div className="flex flex-wrap gap-3">
            <ButtonLink to="/shop" look="outline">
              Continue Shopping
            </ButtonLink>{" "}
            {outcome === "sold" && <BuyAgain reference={order.reference} number={order.number} look="outline" />}{" "}
            {withReceipt && (
              <ButtonLink to={`/order/${order.reference}/receipt`} look="outline">
                Receipt
              </ButtonLink>
            )}{" "}
            {outcome === "sold" && (
              <Button type="button" look="outline" onClick={() => print()} className="[@media(scripting:none)]:hidden">
                Print
              </Button>
            )}{" "}
            {order.progress?.stage === "paid" && (
              <div className="flex basis-full flex-wrap gap-x-5">
                <ButtonLink to={`/order/${order.reference}/address`} look="quiet">
                  Change address
                </ButtonLink>{" "}
                {order.hasOtherSize && (
                  <>
                    <ButtonLink to={`/order/${order.reference}/size`} look="quiet">
                      Change size
                    </ButtonLink>{" "}
                  </>
                )}
                <ButtonLink to={`/order/${order.reference}/cancel`} look="quiet">
                  Cancel order
                </ButtonLink>
              </div>
            )}
          </div>
          {!order.progress && <Help about={`my order ${order.number}`} />}
        </div>
        <section
          aria-labelledby="bought"
          className="grid content-start gap-6 self-start bg-linen p-4 sm:p-7 print:bg-transparent"
        >
          <h2 id="bought" className="headline text-lg">
            {outcome === "sold" ? "What you bought" : "What it’s for"}
          </h2>
          <OrderDetails order={order} />
          {outcome === "sold" && <OrderStatus status={order.status} />}{" "}
          <PaymentReference reference={params.reference} />
        </section>
      </div>
    </main>
  );
}

function mayReturn({ progress, returns }: OrderView): boolean {
  return returns.length > 0 || ["sent", "ready", "delivered"].includes(progress?.stage ?? "");
}

/** The button for the shopper's next step. */
function NextAction({ outcome, order }: { outcome: Outcome; order: OrderView }) {
  if (outcome !== "sold" && order.saleId) {
    return (
      <ButtonLink to={`/order/${order.reference}`} className="justify-self-start">
        See the order
      </ButtonLink>
    );
  }
  if (outcome === "unpaid") {
    return (
      <ButtonLink to="/checkout" className="justify-self-start">
        Back to checkout
      </ButtonLink>
    );
  }
  if (outcome !== "pending" && outcome !== "unavailable") return null;
  return (
    <Form method="get">
      <Button>Check again</Button>
    </Form>
  );
}

/** Details below the title, with an icon if the order is on its way. */
function Note({ order, text }: { order: OrderView; text: string }) {
  if (!text) return null;
  const { progress } = order;
  const isOnItsWay = progress && !isJustPaid(order);
  const stage = lastReturn(order) ? undefined : progress?.stage;
  const hasArrived = stage === "ready" || stage === "delivered";
  const Icon = hasArrived ? CheckIcon : stage === "sent" ? TruckIcon : ClockIcon;
  return (
    <p
      role="status"
      className={
        isOnItsWay ? `flex gap-2 font-semibold ${hasArrived ? "text-palm" : "text-ember-deep"}` : "max-w-2xl text-lg"
      }
    >
      {isOnItsWay && <Icon className="size-6 shrink-0" />}
      <span>{text}</span>
    </p>
  );
}
