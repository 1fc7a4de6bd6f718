import { type FormEvent, useEffect, useRef } from "react";
import { data, Form, redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { countCart } from "#app/cart/cart.server.ts";
import { useFollowCart } from "#app/cart/store/use-follow-cart.browser.ts";
import { askCurrency } from "#app/catalog/currency/ask.browser.ts";
import { useCurrency } from "#app/catalog/currency/choice.browser.ts";
import { currencyOfCountry } from "#app/catalog/currency/country.ts";
import { CurrencyLine } from "#app/catalog/currency/line.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { addressBucket, limit } from "#app/infra/http/rate-limit.server.ts";
import { countryOf } from "#app/infra/http/visitor-country.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import * as messages from "#app/messages.ts";
import { usdCents } from "#app/money/money.ts";
import { lastShipping } from "#app/orders/lifecycle.server.ts";
import { newsFor } from "#app/orders/news/news.server.ts";
import { quote } from "#app/orders/quote.server.ts";
import { OrderSummary } from "#app/orders/summary.tsx";
import { orderSums } from "#app/orders/sums.ts";
import type { NamedShortage } from "#app/orders/units.ts";
import { lookAtAwaited } from "#app/payments/awaited.server.ts";
import { AwaitedPayment, StillUnderWay } from "#app/payments/checkout/awaited.tsx";
import { Arrived, Empty, LoginPrompt, SoldOut } from "#app/payments/checkout/notices.tsx";
import { PayNow } from "#app/payments/checkout/pay-now.tsx";
import { type CheckoutAnswer, usePayDialog } from "#app/payments/checkout/use-pay-dialog.browser.ts";
import type { PayWay } from "#app/payments/dialog.tsx";
import type { NotStarted } from "#app/payments/outcomes.ts";
import { problemText, shortText } from "#app/payments/problem-text.ts";
import { startPayment } from "#app/payments/start.server.ts";
import { arrivalDates } from "#app/shipping/business-days.ts";
import type { ArrivalDates } from "#app/shipping/delivery-time.ts";
import { ShippingFields } from "#app/shipping/fields.tsx";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { deliveryName } from "#app/shipping/place/place.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import {
  countryIn,
  type Destination,
  type ShippingFields as Fields,
  NIGERIA,
  nameOf,
  type ShippingRates,
  shippingCost,
  shippingFields,
} from "#app/shipping/shipping.ts";
import { useShippingForm } from "#app/shipping/use-shipping-form.browser.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { FormError, FormNotice } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/checkout";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Checkout | Irepo", hidden: true });

export async function loader({ request }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return { user: null };
  // The version first: a change that comes between is one too many to follow, never one too few.
  const { version: cartVersion } = await countCart(db(), user.id);
  const [{ lines, short, rate, holdsStock }, rates, last, before] = await Promise.all([
    quote(db(), user.id),
    loadShippingRates(db()),
    lastShipping(db(), user.id),
    lookAtAwaited(db("checkout"), user.id),
  ]);
  if (before?.outcome === "sold") throw redirect("/", 303); // which greets with the order
  if (before?.outcome === "refunding") throw redirect(`/order/${before.reference}`, 303);
  return {
    user,
    awaited: before?.outcome === "awaited" ? before : undefined,
    wasUnpaid: before?.outcome === "unpaid",
    paysAnotherWay: new URL(request.url).searchParams.has("another"),
    sale: lines.length === 0 ? (await newsFor(db(), user.id))?.sale : undefined,
    cartVersion,
    lines,
    short,
    rate,
    holdsStock,
    rates,
    last,
    dates: arrivalDates(new Date(), env.SHOP_TIMEZONE),
    detected: currencyOfCountry(countryOf(request)),
    checkoutUrl: env.paystack.checkoutUrl,
    takesWallet: env.paystack.wallet,
  };
}

/** No order costs that. Whoever has seen no total yet is shown it before anything is charged. */
const NO_TOTAL_SHOWN = 0;

function wholeNumber(posted: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(posted ?? "") ? Number(posted) : undefined;
}

export async function action({ request }: Route.ActionArgs) {
  const user = await currentUser(request);
  if (!user) {
    logInternalError("notAuthenticated", { path: "/checkout" });
    throw redirect("/login?next=/checkout", 303);
  }
  const form = await readForm(request);
  const rates = await loadShippingRates(db());
  const read = readShippingForm(new URLSearchParams(form), rates);
  const fields = read.ok ? { ...BLANK, ...read.form } : read.fields;
  if (form.intent === "update") return data<CheckoutAnswer>({ fields });
  if (!read.ok) logInternalError("missingData", { user: user.id, missing: Object.keys(read.errors) });
  if (!read.ok)
    return data<CheckoutAnswer>({ fields, errors: read.errors, problem: messages.form.lookAtMarked }, { status: 400 });
  if (!(await mayStart(user.id, request)))
    return data<CheckoutAnswer>({ fields, problem: messages.form.tooOften }, { status: 429 });
  const plain = isPlainForm(request);
  const agreedKobo = wholeNumber(form.agreedKobo) ?? NO_TOTAL_SHOWN;
  const started = await startPayment(db("checkout"), {
    user,
    form: read.form,
    destination: read.destination,
    // Without script there is no choice of currency: the button names the naira that will be charged.
    currency: plain || form.currency === "NGN" ? "NGN" : "USD",
    agreedKobo,
    shownCents: wholeNumber(form.shownCents),
    referrer: request.headers.get("referer") ?? undefined,
    agreesToNoHold: form.agreesToNoHold === "yes",
  });
  if (!started.ok) return refusal(started, fields, agreedKobo !== NO_TOTAL_SHOWN);
  if (plain) throw redirect(started.authorizationUrl, 303);
  const { reference, accessCode, authorizationUrl } = started;
  return data<CheckoutAnswer>({ fields, started: { reference, accessCode, authorizationUrl } });
}

function refusal(not: NotStarted, fields: Fields, sawTotal: boolean) {
  const { problem } = not;
  if (problem === "already-paid") throw redirect(`/order/${not.reference}`, 303);
  const text = problemText(not, sawTotal);
  if (problem === "payment-email-refused")
    return data<CheckoutAnswer>(
      { fields, errors: { email: text }, problem: messages.form.lookAtMarked },
      { status: 400 },
    );
  // Without script the sum with delivery is first shown here: that is no fault.
  const isFirstTotal = problem === "stale-total" && !sawTotal;
  const toldOfNoHold = problem === "holds-nothing" || (problem === "stale-total" && !not.holdsStock);
  const status = problem === "payment-unavailable" || problem === "earlier-payment-unseen" ? 503 : 400;
  const said = isFirstTotal ? { notice: text } : { problem: text };
  return data<CheckoutAnswer>({ fields, ...said, toldOfNoHold }, { status });
}

export function clientAction({ serverAction }: Route.ClientActionArgs): Promise<CheckoutAnswer> {
  return answerOr<CheckoutAnswer>(serverAction, { problem: messages.form.unavailable });
}

/** Each try reserves stock and asks the provider: enough for somebody who changes the address again and again, not for a machine. */
async function mayStart(userId: string, request: Request): Promise<boolean> {
  const { ok } = await limit(
    db(),
    [`checkout of ${userId}`, 30, 10 * MINUTE],
    [`checkout from ${addressBucket(request)}`, 200, 10 * MINUTE],
  );
  return ok;
}

const BLANK = shippingFields(() => "");

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const wasFull = useRef(false);
  const wasAwaited = useRef("");
  const waiting = loaderData.user && !loaderData.paysAnotherWay && !actionData ? loaderData.awaited : undefined;
  useOwner(waiting && loaderData.user?.id);
  if (!loaderData.user) return <LoginPrompt />;
  const { awaited, sale, cartVersion } = loaderData;
  if (awaited) wasAwaited.current = awaited.awaited.reference;
  if (waiting) return <AwaitedPayment {...waiting} cartVersion={cartVersion} />;
  if (sale && sale.reference === wasAwaited.current) return <Arrived {...sale} />;
  if (loaderData.lines.length === 0 && loaderData.short.length > 0) return <SoldOut short={loaderData.short} />;
  if (loaderData.lines.length === 0) return <Empty wasFull={wasFull.current} sale={sale} />;
  wasFull.current = true;
  // By its key another shopper's form begins anew, when they sign in in another tab.
  return <CheckoutForm key={loaderData.user.id} {...loaderData} answer={actionData} />;
}

type Loaded = Extract<Awaited<ReturnType<typeof loader>>, { rates: ShippingRates }>;

function CheckoutForm({ answer: posted, ...loaded }: Loaded & { answer?: CheckoutAnswer }) {
  const { user, cartVersion, lines, short, rate, holdsStock, rates, last, dates, checkoutUrl, takesWallet } = loaded;
  const { awaited, wasUnpaid } = loaded;
  const { currency, isKnown, choose } = useCurrency(loaded.detected);
  const dialog = usePayDialog(checkoutUrl);
  const { PaymentDialog, payment, isPaying } = dialog;
  const answer = dialog.answer ?? posted;
  const { firstName, lastName, email } = user;
  const shipping = useShippingForm({
    userId: user.id,
    initial: { ...BLANK, country: NIGERIA.name, firstName, lastName, email, ...last, ...posted?.fields },
    takesDraft: !posted,
    isNew: !last,
    rates,
    serverErrors: answer?.errors,
  });
  const { fields, destination, isComplete } = shipping;
  const sums = orderSums(lines, destination ? shippingCost(destination, rates) : usdCents(0), rate);

  useFollowCart(cartVersion, !isPaying);
  useOwner(payment.state.step === "choose" ? user.id : undefined); // a payment that has begun is followed to its end
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched when the form becomes complete
  useEffect(() => {
    if (isComplete) dialog.prepare();
  }, [isComplete]);

  const payNow = (event: FormEvent) => {
    event.preventDefault();
    if (!shipping.validate()) return;
    if (isKnown) void dialog.open();
    else askCurrency(() => void dialog.open()); // cards are charged in naira: paying needs the answer
  };
  const pay = (way: PayWay) =>
    dialog.submit(way, {
      ...fields,
      currency,
      agreedKobo: String(sums.kobo),
      shownCents: String(sums.subtotalCents),
      agreesToNoHold: holdsStock ? "" : "yes", // the dialog has said it
    });
  return (
    <main
      data-currency={currency}
      className="page grid max-w-[83.5rem]! gap-6 pt-5 lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-[auto_1fr] lg:gap-x-20 lg:py-12"
    >
      <div>
        <h1 className="display text-3xl sm:text-5xl">SHIPPING</h1>
        <CurrencyLine currency={currency} choose={choose} />
      </div>
      <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <OrderSummary
          lines={lines}
          sums={sums}
          rate={rate}
          shippingKnown={destination !== undefined}
          delivery={destination && deliveryOf(destination, rates, dates)}
        />
      </div>
      <Form
        ref={shipping.form}
        method="post"
        onSubmit={payNow}
        {...shipping.leaveHandlers}
        noValidate
        className="grid content-start gap-6 lg:col-start-1"
      >
        {awaited && <StillUnderWay {...awaited.awaited} />}
        {(dialog.isUnpaid || wasUnpaid) && <p role="status">{messages.order.notCharged}</p>}
        <FormError>{dialog.loading === "failed" ? messages.form.unavailable : answer?.problem}</FormError>
        <FormNotice>{answer?.notice}</FormNotice>
        <Shortage short={short} said={answer?.problem} />
        <input type="hidden" name="shownCents" value={sums.subtotalCents} />
        {destination && <input type="hidden" name="agreedKobo" value={sums.kobo} />}
        {answer?.toldOfNoHold && <input type="hidden" name="agreesToNoHold" value="yes" />}
        <ShippingFields
          fields={fields}
          errors={shipping.errors}
          rates={rates}
          rate={rate}
          currency={currency}
          dates={dates}
          onChange={shipping.change}
        />
        <PayNow
          sums={sums}
          rate={rate}
          needed={shipping.needed}
          isPlaceKnown={destination !== undefined}
          isComplete={isComplete}
          busy={dialog.loading === "running"}
        />
      </Form>
      {PaymentDialog && (
        <PaymentDialog
          onClose={payment.leave}
          currency={currency}
          onNaira={() => choose("NGN")}
          kobo={sums.kobo}
          rate={rate}
          holdsStock={holdsStock}
          state={payment.state}
          onPay={pay}
          takesWallet={takesWallet}
          checkoutUrl={checkoutUrl}
          onWallet={payment.handleWallet}
        />
      )}
    </main>
  );
}

/** What of the cart can no longer be had; `said`: what the answer to the form says already. */
function Shortage({ short, said }: { short: NamedShortage[]; said?: string }) {
  if (short.length === 0) return null;
  const text = shortText(short);
  return (
    <p className="font-medium text-ember-deep">
      {text !== said && `${text} `}
      {messages.order.less}
    </p>
  );
}

/** What the delivery is called, and when it arrives. */
function deliveryOf(destination: Destination, { countries }: ShippingRates, dates: ArrivalDates) {
  const { kind } = destination;
  const place = nameOf(destination);
  return {
    name: deliveryName(kind, kind === "abroad" ? (countryIn(countries, place)?.name ?? place) : place),
    dates: kind === "abroad" ? dates.abroad : dates.nigeria,
  };
}
