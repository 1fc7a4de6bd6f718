import { type FormEvent, useEffect, useRef, useState } from "react";
import { data, Form, redirect, useLocation, useNavigation } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { clearTypedForm, formMark, typedFormCookie, typedFormOf } from "#app/account/session/typed-form.server.ts";
import { countCart } from "#app/cart/cart.server.ts";
import { CodeState } from "#app/cart/offers/code.tsx";
import { cartOffers } from "#app/cart/offers/text.ts";
import { useFollowCart } from "#app/cart/store/use-follow-cart.browser.ts";
import { askCurrency } from "#app/catalog/currency/ask.browser.ts";
import { useCurrency } from "#app/catalog/currency/choice.browser.ts";
import { CurrencyLine } from "#app/catalog/currency/line.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { networkTurn } from "#app/infra/http/network-turn.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import { countryOf } from "#app/infra/http/visitor-country.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import { log } from "#app/infra/log.server.ts";
import { newCode } from "#app/infra/secrets/link-code.server.ts";
import { knownShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import { usdCents } from "#app/money/money.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { dayWords } from "#app/orders/fulfilment/days.ts";
import { knownShipping } from "#app/orders/lifecycle.server.ts";
import { newsFor } from "#app/orders/news/news.server.ts";
import { quote, readRatesNow } from "#app/orders/quote.server.ts";
import { OrderSummary } from "#app/orders/summary.tsx";
import { orderSums } from "#app/orders/sums.ts";
import type { NamedShortage } from "#app/orders/units.ts";
import { lookAtAwaited } from "#app/payments/awaited.server.ts";
import { AwaitedPayment, StillUnderWay } from "#app/payments/checkout/awaited.tsx";
import { Arrived, Empty, LoginPrompt, SoldOut } from "#app/payments/checkout/notices.tsx";
import { PayNow } from "#app/payments/checkout/pay-now.tsx";
import { type CheckoutAnswer, usePayDialog } from "#app/payments/checkout/use-pay-dialog.browser.ts";
import type { CheckoutProvider, PayWay } from "#app/payments/dialog.tsx";
import { LINE_MAX, lineOf } from "#app/payments/links/line.ts";
import { linkOf } from "#app/payments/links/link.server.ts";
import { LET_OTHER_PAY, LetOtherPay, LinkIsOut, LinkMade, type MadeLink } from "#app/payments/links/own-link.tsx";
import { ownLink } from "#app/payments/links/payer-link.server.ts";
import type { NotStarted } from "#app/payments/outcomes.ts";
import { problemText, shortText } from "#app/payments/problem-text.ts";
import { startPayerLink, startPayment } from "#app/payments/start.server.ts";
import { checkoutProvider } from "#app/providers/registry.server.ts";
import { noSuchAddress, saveAddress } from "#app/shipping/address-book/book.server.ts";
import { addressOf, fillsIn, MOST_ADDRESSES, savedIn } from "#app/shipping/address-book/book.ts";
import { ChoiceForm, SaveAddress, SavedAddresses } from "#app/shipping/address-book/choice.tsx";
import { arrivalDates } from "#app/shipping/business-days.ts";
import type { ArrivalDates } from "#app/shipping/delivery-time.ts";
import { ShippingFields } from "#app/shipping/fields.tsx";
import { type ReadShipping, readShippingForm } from "#app/shipping/form.server.ts";
import { deliveryName } from "#app/shipping/place/place.ts";
import { loadShippingRates, offeredIn } from "#app/shipping/rates.server.ts";
import {
  countryIn,
  type DeliveryWay,
  type Destination,
  type ShippingFields as Fields,
  NIGERIA,
  nameOf,
  PICK_UP,
  type ShippingRates,
  shippingCost,
  shippingFields,
} from "#app/shipping/shipping.ts";
import { useShippingForm } from "#app/shipping/use-shipping-form.browser.ts";
import { costOf, deliveryToPay, wayTo } from "#app/shipping/ways/ways.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { FormError, FormNotice } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { queuePath } from "#app/ui/frame/paths.ts";
import type { Route } from "./+types/checkout";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Checkout", hidden: true });

export async function loader({ request }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return { user: null };
  // The version is read before the lines, so that a change in between causes one superfluous reload, but is never
  // missed.
  const { version: cartVersion } = await countCart(db(), user.id);
  const [{ lines, short, rate, unheld, offers }, rates, known, before] = await Promise.all([
    quote(db(), user.id),
    loadShippingRates(db()),
    knownShipping(db(), user.id),
    lookAtAwaited(db("checkout"), user.id),
  ]);
  if (before?.outcome === "sold") throw redirect("/", 303); // the home page shows a greeting for the order
  if (before?.outcome === "refunding") throw redirect(`/order/${before.reference}`, 303);
  const { id, name, paidWith } = checkoutProvider.description;
  const { checkoutUrl = "", takesWallet = false } = checkoutProvider.inBrowser?.() ?? {};
  const awaited = before?.outcome === "awaited" ? before : undefined;
  const { searchParams } = new URL(request.url);
  const paysAnotherWay = searchParams.has("another");
  const asked = searchParams.get("savedAddress");
  const first: Partial<Fields> | null | undefined = fillsIn(known.saved, asked, known.last);
  if (first === null) throw noSuchAddress(user.id);
  const showsForm = lines.length > 0 && (paysAnotherWay || !awaited);
  const typed = showsForm ? typedFormOf(request, user.id) : undefined;
  const { othersPay } = knownShopSettings();
  const link = othersPay ? await ownLink(db(), user.id) : undefined;
  const checkout = {
    user,
    formMark: formMark(user.id),
    typed: typed && checkoutFields(typed),
    awaited,
    wasUnpaid: before?.outcome === "unpaid",
    paysAnotherWay,
    sale: lines.length === 0 ? (await newsFor(db(), user.id))?.sale : undefined,
    cartVersion,
    lines,
    short,
    rate,
    unheld,
    offers: offers && cartOffers(offers, rate),
    rates,
    saved: known.saved,
    first,
    asked,
    dates: arrivalDates(new Date(), env.SHOP_TIMEZONE, knownShopSettings().numbers ?? SHIPPED_NUMBERS, rates.ways),
    isCountryKnown: countryOf(request) !== undefined,
    provider: { id, name, paidWith } satisfies CheckoutProvider,
    checkoutUrl,
    takesWallet,
    ...(othersPay && { payer: { link: link && { reference: link.reference, until: untilText(link) } } }),
  };
  return typed ? data(checkout, { headers: { "Set-Cookie": clearTypedForm() } }) : checkout;
}

/**
 * The agreed total of a form that has not shown one. No order costs 0, so the shopper sees the total before any charge.
 */
const NO_TOTAL_SHOWN = 0;

const untilText = ({ expiresAt }: { expiresAt: Date }) => dayWords(new Date(), env.SHOP_TIMEZONE).dayAndTime(expiresAt);

function wholeNumber(posted: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(posted ?? "") ? Number(posted) : undefined;
}

export async function action({ request }: Route.ActionArgs) {
  const user = await currentUser(request);
  if (!user) {
    logInternalError("notAuthenticated", { path: "/checkout" });
    throw redirect("/login?next=/checkout", { status: 303, headers: await keepTyped(request) });
  }
  const form = await readForm(request);
  const now = await readRatesNow(db());
  const read = readShippingForm(new URLSearchParams(form), offeredIn(now.shipping));
  const fields = checkoutFields(read.ok ? { ...read.form, deliveryWay: read.way?.id } : read.fields);
  const forOther = form.intent === "link" && knownShopSettings().othersPay;
  if (form.intent === "link" && !forOther) throw data(null, { status: 404 });
  const line = lineOf(form.payerLine);
  const kept = { fields, savesAddress: form.saveAddress === "yes", ...(line && { payerLine: line }) };
  if (form.intent === "update") return data<CheckoutAnswer>(kept);
  if (!read.ok) logInternalError("missingData", { user: user.id, missing: Object.keys(read.errors) });
  if (!read.ok)
    return data<CheckoutAnswer>({ ...kept, errors: read.errors, problem: messages.form.lookAtMarked }, { status: 400 });
  if (forOther && line.length > LINE_MAX) {
    const payerLineError = messages.payerLink.lineTooLong(LINE_MAX);
    return data<CheckoutAnswer>({ ...kept, payerLineError, problem: messages.form.lookAtMarked }, { status: 400 });
  }
  if (!(await mayStart(user.id, request)))
    return data<CheckoutAnswer>({ ...kept, problem: messages.form.tooOften }, { status: 429 });
  const plain = isPlainForm(request);
  const agreedKobo = wholeNumber(form.agreedKobo) ?? NO_TOTAL_SHOWN;
  const refused = (not: NotStarted, button?: string) => {
    if (not.problem !== "in-queue") return refusal(not, kept, agreedKobo !== NO_TOTAL_SHOWN, button);
    // Without script, what was typed is kept for the shopper's turn. With script, the browser keeps a draft.
    const headers: HeadersInit = plain ? { "Set-Cookie": typedFormCookie(form.formMark, fields) } : {};
    throw redirect(queuePath(not.productId), { status: 303, headers });
  };
  const order = {
    user,
    form: read.form,
    destination: read.destination,
    way: read.way,
    // Without JavaScript the currency cannot be chosen: the button shows the amount in naira that will be charged.
    // A link is paid in naira, too.
    currency: plain || forOther || form.currency === "NGN" ? "NGN" : "USD",
    agreedKobo,
    shownCents: wholeNumber(form.shownCents),
    referrer: request.headers.get("referer") ?? undefined,
    agreesToNoHold: form.agreesToNoHold === "yes",
    paysAnotherWay: form.another === "way",
  } as const;
  if (forOther) {
    const code = newCode();
    const linked = await startPayerLink(db("checkout"), { ...order, payerLink: { code, line } }, now);
    if (!linked.ok) return refused(linked, LET_OTHER_PAY);
    if (kept.savesAddress) await keepAddress(user.id, read);
    const own = await ownLink(db("checkout"), user.id);
    if (!own) throw redirect("/checkout", 303); // it has been paid or ended meanwhile
    return data<CheckoutAnswer>({ link: { url: linkOf(code), until: untilText(own), reference: own.reference } });
  }
  const started = await startPayment(db("checkout"), order, now);
  if (!started.ok) return refused(started);
  if (kept.savesAddress) await keepAddress(user.id, read);
  if (plain) throw redirect(started.authorizationUrl, 303);
  const { reference, provider, accessCode, authorizationUrl } = started;
  return data<CheckoutAnswer>({ fields, started: { reference, provider, accessCode, authorizationUrl } });
}

/** Saves the place of an order that has been started, unless it is picked up. A failure does not concern the order. */
async function keepAddress(userId: string, { form, destination }: Extract<ReadShipping, { ok: true }>): Promise<void> {
  if (destination.kind === "pickup") return;
  await saveAddress(db("checkout"), userId, addressOf(form)).catch((error) =>
    log.error({ err: error }, "an address was not saved"),
  );
}

/** The headers that keep what was typed without script until the login. With script, the browser keeps a draft. */
async function keepTyped(request: Request): Promise<HeadersInit> {
  if (!isPlainForm(request)) return {};
  const form = await readForm(request);
  const typed = checkoutFields(form);
  return { "Set-Cookie": typedFormCookie(form.formMark, typed) };
}

type Kept = Pick<CheckoutAnswer, "fields" | "savesAddress" | "payerLine">;

function refusal(not: Exclude<NotStarted, { problem: "in-queue" }>, kept: Kept, sawTotal: boolean, button?: string) {
  const { problem } = not;
  if (problem === "already-paid") throw redirect(`/order/${not.reference}`, 303);
  if (problem === "payer-awaited") throw redirect("/checkout", 303); // which says so, and offers to pay another way
  const text = problemText(not, sawTotal, button);
  if (problem === "payment-email-refused")
    return data<CheckoutAnswer>(
      { ...kept, errors: { email: text }, problem: messages.form.lookAtMarked },
      { status: 400 },
    );
  // Without JavaScript, this response is the first to show the total with delivery, so it is not an error.
  const isFirstTotal = problem === "stale-total" && !sawTotal;
  const toldOfNoHold = problem === "holds-nothing" || (problem === "stale-total" && not.unheld !== undefined);
  const status = problem === "payment-unavailable" || problem === "earlier-payment-unseen" ? 503 : 400;
  const said = isFirstTotal ? { notice: text } : { problem: text };
  return data<CheckoutAnswer>({ ...kept, ...said, toldOfNoHold }, { status });
}

export function clientAction({ serverAction }: Route.ClientActionArgs): Promise<CheckoutAnswer> {
  return answerOr<CheckoutAnswer>(serverAction, { problem: messages.form.unavailable });
}

/**
 * Each attempt reserves stock and calls the provider. The limit allows a shopper to correct the address many times, but
 * stops a program.
 */
async function mayStart(userId: string, request: Request): Promise<boolean> {
  const [own, network] = await Promise.all([
    limit(db(), [`checkout of ${userId}`, 30, 10 * MINUTE]),
    networkTurn(db(), request, "checkout", [200, 10 * MINUTE]), // both limits are counted with one statement
  ]);
  return own.ok && network.ok;
}

function checkoutFields(given: Partial<Record<string, string>>): Fields {
  const { deliveryWay } = given;
  return { ...shippingFields((name) => given[name] ?? ""), ...(deliveryWay && { deliveryWay }) };
}

const BLANK = shippingFields(() => "");

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const wasFull = useRef(false);
  const wasAwaited = useRef("");
  const made = useMadeLink(actionData);
  const waiting = loaderData.user && !loaderData.paysAnotherWay && !actionData ? loaderData.awaited : undefined;
  useOwner(waiting && loaderData.user?.id);
  if (!loaderData.user) return <LoginPrompt />;
  const { awaited, sale, cartVersion } = loaderData;
  if (awaited) wasAwaited.current = awaited.awaited.reference;
  if (made) return <LinkMade {...made} />;
  if (waiting) return <AwaitedPayment {...waiting} cartVersion={cartVersion} />;
  if (sale && sale.reference === wasAwaited.current) return <Arrived {...sale} />;
  if (loaderData.lines.length === 0 && loaderData.short.length > 0) return <SoldOut short={loaderData.short} />;
  if (loaderData.lines.length === 0) return <Empty wasFull={wasFull.current} sale={sale} />;
  wasFull.current = true;
  // The key resets the form if another shopper signs in in another tab.
  return <CheckoutForm key={loaderData.user.id} {...loaderData} answer={actionData} />;
}

/**
 * The link that was just made. It stays on the page where it was made, and through jumps within the page: the router
 * drops the answer when data is reloaded.
 */
function useMadeLink({ link }: CheckoutAnswer = {}): MadeLink | undefined {
  const { key, hash } = useLocation();
  const [kept, setKept] = useState({ link, key });
  if (link && kept.link !== link) setKept({ link, key });
  return link ?? (kept.key === key || hash ? kept.link : undefined);
}

/** Whether the form is sent by the button with which somebody else is to pay. */
function isForOther({ nativeEvent }: FormEvent): boolean {
  const { submitter } = nativeEvent as SubmitEvent;
  return submitter instanceof HTMLButtonElement && submitter.value === "link";
}

type Loaded = Extract<Awaited<ReturnType<typeof loader>>, { rates: ShippingRates }>;

function CheckoutForm({ answer: posted, ...loaded }: Loaded & { answer?: CheckoutAnswer }) {
  const { user, cartVersion, lines, short, rate, unheld, rates, first, dates, provider, checkoutUrl, takesWallet } =
    loaded;
  const { awaited, wasUnpaid, offers, saved, asked } = loaded;
  const [typed] = useState(loaded.typed); // a reload of the data brings it no second time
  const { currency, isChosen, choose } = useCurrency();
  const dialog = usePayDialog(checkoutUrl);
  const { PaymentDialog, payment, isPaying } = dialog;
  const answered = useFocusAnswer<HTMLDivElement>(dialog.isUnpaid);
  const refused = useFocusAnswer<HTMLElement>(loaded.payer && posted); // only a link is asked for without the dialog
  const isSubmitting = useNavigation().state === "submitting";
  const answer = dialog.answer ?? posted;
  const atTop = dialog.answer ? undefined : posted;
  const { firstName, lastName, email } = user;
  const shipping = useShippingForm({
    userId: user.id,
    initial: {
      ...BLANK,
      country: NIGERIA.name,
      firstName,
      lastName,
      email,
      ...first,
      ...typed,
      ...posted?.fields,
      // Absent for the standard way, which the last order's way does not replace.
      deliveryWay: (posted?.fields ?? typed ?? first)?.deliveryWay ?? "",
    },
    takesDraft: !posted && !typed && asked === null,
    checksAddress: !posted && !typed && Boolean(asked),
    isNew: !first,
    rates,
    serverErrors: answer?.errors,
  });
  const { fields, destination, isComplete } = shipping;
  const chosen = savedIn(fields, saved, rates);
  const prices = destination && {
    shippingCents: costOf(destination, rates, fields.deliveryWay),
    standardCents: shippingCost(destination, rates),
  };
  const isFree = offers?.freeDelivery !== undefined;
  const delivery = prices ? deliveryToPay(prices, isFree) : usdCents(0);
  const sums = orderSums(lines, delivery, rate);

  useFollowCart(cartVersion, !isPaying);
  useOwner(payment.state.step === "choose" ? user.id : undefined); // a payment that has begun is followed to its end
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched when the form becomes complete
  useEffect(() => {
    if (isComplete) dialog.prepare();
  }, [isComplete]);

  const payNow = (event: FormEvent) => {
    if (isForOther(event)) return shipping.validate() || event.preventDefault();
    event.preventDefault();
    if (!shipping.validate()) return;
    if (isChosen || loaded.isCountryKnown) void dialog.open();
    else askCurrency(() => void dialog.open()); // charges are in naira, so a currency must be chosen
  };
  const pay = (way: PayWay) =>
    dialog.submit(way, {
      ...fields,
      currency,
      agreedKobo: String(sums.kobo),
      shownCents: String(sums.subtotalCents),
      another: loaded.paysAnotherWay ? "way" : "",
      agreesToNoHold: unheld ? "yes" : "", // the dialog has told the shopper
      saveAddress: String(new FormData(shipping.form.current ?? undefined).get("saveAddress") ?? ""),
    });
  return (
    <main
      ref={refused}
      className="page grid max-w-[83.5rem]! grid-cols-1 gap-6 pt-5 lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-[auto_1fr] lg:gap-x-20 lg:py-12"
    >
      <div>
        <h1 className="display text-3xl sm:text-5xl">SHIPPING</h1>
        <CurrencyLine currency={currency} choose={choose} />
        {saved.length > 0 && <ChoiceForm keeps={loaded.paysAnotherWay ? { another: "way" } : {}} />}
        {/* At the top, because without JavaScript the page opens at its top after posting. */}
        <div className="mt-4 grid gap-6 empty:hidden">
          <FormError>{atTop?.problem}</FormError>
          <FormNotice>{atTop?.notice ?? (wasUnpaid && !dialog.isUnpaid && messages.order.notCharged)}</FormNotice>
        </div>
      </div>
      <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <OrderSummary
          lines={lines}
          sums={sums}
          rate={rate}
          shippingKnown={destination !== undefined}
          delivery={destination && deliveryOf(destination, rates, dates, wayTo(destination, rates, fields.deliveryWay))}
        />
      </div>
      <Form
        ref={shipping.form}
        method="post"
        onSubmit={payNow}
        {...shipping.handlers}
        noValidate
        className="grid content-start gap-6 lg:col-start-1"
      >
        {awaited && <StillUnderWay {...awaited.awaited} />}
        {loaded.payer?.link && <LinkIsOut {...loaded.payer.link} />}
        <CodeState code={offers?.code} />
        <Shortage short={short} said={answer?.problem} />
        <input type="hidden" name="formMark" value={loaded.formMark} />
        <input type="hidden" name="shownCents" value={sums.subtotalCents} />
        {destination && <input type="hidden" name="agreedKobo" value={sums.kobo} />}
        {loaded.paysAnotherWay && <input type="hidden" name="another" value="way" />}
        {answer?.toldOfNoHold && <input type="hidden" name="agreesToNoHold" value="yes" />}
        {saved.length > 0 && <SavedAddresses fields={fields} saved={saved} chosen={chosen} onChoose={shipping.fill} />}
        <ShippingFields
          fields={fields}
          errors={shipping.errors}
          rates={rates}
          rate={rate}
          currency={currency}
          dates={dates}
          isFree={isFree}
          onChange={shipping.change}
        />
        {saved.length < MOST_ADDRESSES && (
          <SaveAddress isOffered={!chosen && fields.deliveryType !== PICK_UP} isTicked={posted?.savesAddress} />
        )}
        <div ref={answered} className="empty:hidden">
          <FormError>{dialog.loading === "failed" ? messages.form.unavailable : dialog.answer?.problem}</FormError>
          <FormNotice>{dialog.isUnpaid && messages.order.notCharged}</FormNotice>
        </div>
        <PayNow
          sums={sums}
          rate={rate}
          needed={shipping.needed}
          isPlaceKnown={destination !== undefined}
          isComplete={isComplete}
          busy={dialog.loading === "running"}
        />
        {loaded.payer && <LetOtherPay line={posted?.payerLine} error={posted?.payerLineError} busy={isSubmitting} />}
      </Form>
      {PaymentDialog && (
        <PaymentDialog
          provider={provider}
          onClose={payment.leave}
          currency={currency}
          onNaira={() => choose("NGN")}
          kobo={sums.kobo}
          rate={rate}
          unheld={unheld}
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

/**
 * A message about units of the cart that are no longer available. `said` is the form's own message, to avoid showing
 * the same text twice.
 */
function Shortage({ short, said }: { short: NamedShortage[]; said?: string }) {
  if (short.length === 0) return null;
  const text = shortText(short);
  return (
    <p className="font-medium text-ember-deep">
      {text === said ? messages.order.less : `${text} ${messages.order.less}`}
    </p>
  );
}

/** The name of the delivery and its dates of arrival. */
function deliveryOf(destination: Destination, { countries }: ShippingRates, dates: ArrivalDates, way?: DeliveryWay) {
  const { kind } = destination;
  const place = nameOf(destination);
  const name = deliveryName(kind, kind === "abroad" ? (countryIn(countries, place)?.name ?? place) : place);
  if (way) return { name: `${name}, ${way.name}`, dates: dates.ways?.[way.id] };
  return { name, dates: kind === "abroad" ? dates.abroad : dates.nigeria };
}
