import { type FocusEvent, type FormEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { data, Form, redirect, useFetcher, useNavigate, useRevalidator } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { countCart } from "#app/cart/cart.server.ts";
import { refreshCart, useCartVersion } from "#app/cart/store.browser.ts";
import { type Currency, noteDetected, useCurrency } from "#app/catalog/currency.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { addressBucket, limit } from "#app/infra/http/rate-limit.server.ts";
import { countryOf } from "#app/infra/http/visitor-country.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import { messages } from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { triedShipping } from "#app/orders/lifecycle.server.ts";
import { quote } from "#app/orders/quote.server.ts";
import { OrderSummary } from "#app/orders/summary.tsx";
import { orderSums } from "#app/orders/sums.ts";
import type { NamedShortage } from "#app/orders/units.ts";
import type { PayWay } from "#app/payments/dialog.tsx";
import { problemText, shortText } from "#app/payments/problem-text.ts";
import { startPayment } from "#app/payments/start.server.ts";
import { type Started, usePayment } from "#app/payments/use-payment.browser.ts";
import { checkShipping, type ShippingErrors } from "#app/shipping/check.ts";
import { keepDraft, readDraft } from "#app/shipping/drafts.browser.ts";
import { ShippingFields } from "#app/shipping/fields.tsx";
import { readShippingForm } from "#app/shipping/form.server.ts";
import localGovernments from "#app/shipping/local-governments.json" with { type: "json" };
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import {
  destinationOf,
  type ShippingFields as Fields,
  isComplete,
  NIGERIA,
  SHIPPING_FIELDS,
  type ShippingRates,
  shippingCost,
} from "#app/shipping/shipping.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import type { Route } from "./+types/checkout";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Checkout | Irepo", hidden: true });

export async function loader({ request }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return { user: null };
  // The version first: a change that comes between is one too many to follow, never one too few.
  const { version: cartVersion } = await countCart(db(), user.id);
  const [{ lines, short, rate, holdsStock }, rates, tried] = await Promise.all([
    quote(db(), user.id),
    loadShippingRates(db()),
    triedShipping(db(), user.id),
  ]);
  return {
    user,
    cartVersion,
    lines,
    short,
    rate,
    holdsStock,
    rates,
    tried,
    detected: currencyOf(countryOf(request)),
    checkoutUrl: env.paystack.checkoutUrl,
    takesWallet: env.paystack.wallet,
  };
}

/** No order costs that. Whoever has seen no total yet is shown it before anything is charged. */
const NO_TOTAL_SHOWN = 0;

function wholeNumber(posted: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(posted ?? "") ? Number(posted) : undefined;
}

/** What the visitor's country suggests; undefined when it is unknown. */
function currencyOf(country: string | undefined): Currency | undefined {
  if (!country) return;
  return country === NIGERIA.code ? "NGN" : "USD";
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
  if (form.intent === "update") return data({ fields });
  if (!read.ok) logInternalError("missingData", { user: user.id, missing: Object.keys(read.errors) });
  if (!read.ok) return data({ fields, errors: read.errors, problem: messages.form.lookAtMarked }, { status: 400 });
  if (!(await mayStart(user.id, request))) return data({ fields, problem: messages.form.tooOften }, { status: 429 });
  const plain = isPlainForm(request);
  // Without script there is no choice of currency: the button names the naira that will be charged.
  const currency = plain || form.currency === "NGN" ? "NGN" : "USD";
  const agreedKobo = wholeNumber(form.agreedKobo) ?? NO_TOTAL_SHOWN;
  const started = await startPayment(db("checkout"), {
    user,
    form: read.form,
    destination: read.destination,
    currency,
    agreedKobo,
    shownCents: wholeNumber(form.shownCents),
    referrer: request.headers.get("referer") ?? undefined,
    agreesToNoHold: form.agreesToNoHold === "yes",
  });
  if (!started.ok) {
    const { problem } = started;
    if (problem === "already-paid") throw redirect(`/order/${started.reference}`, 303);
    const text = problemText(started, agreedKobo !== NO_TOTAL_SHOWN);
    if (problem === "payment-email-refused")
      return data({ fields, errors: { email: text }, problem: messages.form.lookAtMarked }, { status: 400 });
    const toldOfNoHold = problem === "holds-nothing" || (problem === "stale-total" && !started.holdsStock);
    return data({ fields, problem: text, toldOfNoHold }, { status: problem === "payment-unavailable" ? 503 : 400 });
  }
  if (plain) throw redirect(started.authorizationUrl, 303);
  const { reference, accessCode, authorizationUrl } = started;
  return data({ fields, started: { reference, accessCode, authorizationUrl } });
}

export function clientAction({ serverAction }: Route.ClientActionArgs): Promise<Answer> {
  return answerOr<Answer>(serverAction, { problem: messages.form.unavailable });
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

const BLANK = Object.fromEntries(SHIPPING_FIELDS.map((name) => [name, ""])) as Fields;

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const wasFull = useRef(false);
  if (!loaderData.user) return <LoginPrompt />;
  if (loaderData.lines.length === 0 && loaderData.short.length > 0) return <SoldOut short={loaderData.short} />;
  if (loaderData.lines.length === 0) return <Empty wasFull={wasFull.current} />;
  wasFull.current = true;
  return <CheckoutForm {...loaderData} answer={actionData} />;
}

const SIGNED_OUT_WAIT = MINUTE;

function LoginPrompt() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate("/shop"), SIGNED_OUT_WAIT);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Notice title="Checkout">
      <p className="text-lg">{messages.checkout.loginPrompt}</p>
      <ButtonLink to="/login?next=/checkout">Login</ButtonLink>
    </Notice>
  );
}

/** Two texts: came with an empty cart, or it became empty (in another tab) while this page was open. */
function Empty({ wasFull }: { wasFull: boolean }) {
  return (
    <Notice title={wasFull ? messages.checkout.emptied : messages.checkout.emptyTitle}>
      {!wasFull && <p className="text-lg">{messages.checkout.emptyText}</p>}
      <ButtonLink to="/shop">Continue Shopping</ButtonLink>
      <ButtonLink to="/account" look="quiet">
        Your orders
      </ButtonLink>
    </Notice>
  );
}

function SoldOut({ short }: { short: NamedShortage[] }) {
  return (
    <Notice title={messages.order.nothingLeft}>
      <p className="text-lg">{shortText(short)}</p>
      <ButtonLink to="/shop">Continue Shopping</ButtonLink>
    </Notice>
  );
}

type Loaded = Extract<Awaited<ReturnType<typeof loader>>, { rates: ShippingRates }>;
type Answer = {
  fields?: Fields;
  errors?: ShippingErrors;
  problem?: string;
  toldOfNoHold?: boolean;
  started?: Started;
};

let dialogIsThere = false;
const loadDialog = () =>
  import("#app/payments/dialog.tsx").then(({ PaymentDialog }) => {
    dialogIsThere = true;
    return { default: PaymentDialog };
  });
const PaymentDialog = lazy(loadDialog);

function CheckoutForm({
  user,
  cartVersion,
  lines,
  short,
  rate,
  holdsStock,
  rates,
  tried,
  detected,
  checkoutUrl,
  takesWallet,
  answer: posted,
}: Loaded & { answer?: Answer }) {
  const fetcher = useFetcher<Answer>();
  const { revalidate } = useRevalidator();
  const answer = fetcher.data ?? posted;
  const { firstName, lastName, email } = user;
  const [fields, setFields] = useState<Fields>({
    ...BLANK,
    country: NIGERIA.name,
    firstName,
    lastName,
    email,
    ...tried,
    ...posted?.fields,
  });
  const [touched, setTouched] = useState<Partial<Record<string, boolean>>>({});
  const [left, setLeft] = useState<Partial<Record<string, boolean>>>({});
  const isPressing = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  const [choosing, setChoosing] = useState(false);
  const [isOpening, setOpening] = useState(false);
  const [isUnreached, setUnreached] = useState(false);
  const { currency, isChosen, choose, ask } = useCurrency();
  const payment = usePayment(
    checkoutUrl,
    () => setChoosing(false),
    () => void refreshCart(),
  );

  useEarlyInput(form, (early) => {
    const typed = SHIPPING_FIELDS.filter((name) => early[name] !== undefined && early[name] !== fields[name]);
    if (typed.length === 0) return;
    const before: Fields = { ...fields, ...(!posted && readDraft(user.id)) };
    const next = typed.reduce((values, name) => withField(values, name, early[name] ?? ""), before);
    setFields(next);
    keepDraft(user.id, next);
  });
  useEffect(() => {
    if (!posted) setFields((before) => ({ ...before, ...readDraft(user.id) }));
  }, [posted, user.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each answer
  useEffect(() => {
    if (!fetcher.data) return;
    setTouched({});
    if (fetcher.data.started) void payment.pay(fetcher.data.started);
    else {
      payment.reset();
      setChoosing(false);
      if (fetcher.data.fields) void revalidate(); // what was refused may show what is no longer so: sums, stock
      showProblem();
    }
  }, [fetcher.data]);

  const isPaying = choosing || payment.state.step !== "choose";
  useFollowCart(cartVersion, !isPaying);
  useOwner(isPaying ? undefined : user.id);

  useEffect(() => noteDetected(detected), [detected]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the browser's memory has been read
  useEffect(() => {
    if (hydrated && !detected && !isChosen) ask();
  }, [hydrated]);

  const change = (name: keyof Fields, value: string) => {
    const next = withField(fields, name, value);
    setFields(next);
    setTouched({ ...touched, [name]: true });
    setLeft((before) => (name === "country" ? {} : { ...before, [name]: false }));
    keepDraft(user.id, next);
  };
  const leave = ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
    const name = target.getAttribute("name") ?? "";
    // A press on a button checks everything itself, and must not see it move away; another window is no other field.
    const toButton = isPressing.current || relatedTarget instanceof HTMLButtonElement; // Safari gives buttons no focus
    if (!(name in fields) || toButton || target === document.activeElement) return;
    setLeft((before) => ({ ...before, [name]: true }));
  };
  const destination = destinationOf(fields, rates);
  const sums = orderSums(lines, destination ? shippingCost(destination, rates) : usdCents(0), rate);
  const complete = isComplete(fields);
  useEffect(() => {
    if (hydrated && complete) void loadDialog().catch(() => undefined); // it is asked for again when it is wanted
  }, [hydrated, complete]);
  const found = checkShipping(fields, rates, couldBePhone).errors;
  const errors = {
    ...Object.fromEntries(Object.entries(answer?.errors ?? {}).filter(([name]) => !touched[name])),
    ...Object.fromEntries(Object.entries(found).filter(([name]) => left[name])),
  };
  const payNow = (event: FormEvent) => {
    event.preventDefault();
    if (!complete) return;
    if (Object.keys(found).length > 0) {
      setLeft(Object.fromEntries(Object.keys(found).map((name) => [name, true])));
      return showProblem();
    }
    payment.reset();
    void openDialog();
  };
  const openDialog = async () => {
    setOpening(!dialogIsThere);
    const isThere = await loadDialog().then(Boolean, () => false);
    setOpening(false);
    setUnreached(!isThere);
    setChoosing(isThere);
    if (!isThere) showProblem();
  };
  const pay = (way: PayWay) => {
    payment.opening(way);
    void fetcher.submit(
      {
        ...fields,
        currency,
        agreedKobo: String(sums.kobo),
        shownCents: String(sums.subtotalCents),
        agreesToNoHold: holdsStock ? "" : "yes", // the dialog has said it
      },
      { method: "post", action: "/checkout", defaultShouldRevalidate: false },
    );
  };
  return (
    <main className="page grid gap-8 py-8 lg:grid-cols-[1.4fr_1fr] lg:gap-14 lg:py-12">
      <div className="lg:col-start-2 lg:row-start-1">
        <OrderSummary lines={lines} sums={sums} rate={rate} shippingKnown={destination !== undefined} />
      </div>
      <Form
        ref={form}
        method="post"
        onSubmit={payNow}
        onBlur={leave}
        onPointerDown={({ target }) => {
          isPressing.current = (target as Element).closest("button") !== null;
        }}
        onKeyDown={() => {
          isPressing.current = false;
        }}
        noValidate
        className="grid content-start gap-6 lg:col-start-1 lg:row-start-1"
      >
        <div>
          <h1 className="display text-3xl sm:text-5xl">SHIPPING</h1>
          <p className="mt-2 text-sm text-muted">All fields are needed, except where it says optional.</p>
        </div>
        <FormError>{isUnreached ? messages.form.unavailable : answer?.problem}</FormError>
        {short.length > 0 && (
          <p className="font-medium text-ember-deep">
            {shortText(short) !== answer?.problem && `${shortText(short)} `}
            {messages.order.less}
          </p>
        )}
        <input type="hidden" name="shownCents" value={sums.subtotalCents} />
        {destination && <input type="hidden" name="agreedKobo" value={sums.kobo} />}
        {answer?.toldOfNoHold && <input type="hidden" name="agreesToNoHold" value="yes" />}
        <ShippingFields
          fields={fields}
          errors={errors}
          rates={rates}
          localGovernments={localGovernments}
          onChange={change}
        />
        <div className="sticky low:static bottom-14 z-20 -mx-4 bg-paper px-4 py-3 lg:static lg:m-0 lg:p-0">
          <Button
            className={`price w-full ${!hydrated || complete ? "bg-pay! text-white!" : ""}`}
            disabled={hydrated && !complete}
            busy={isOpening}
          >
            Pay Now {destination || hydrated ? formatKobo(sums.kobo) : ""}
          </Button>
          <noscript>
            <p className="mt-2 text-sm text-muted">
              {destination
                ? "The sum is for the place above. Where you choose another one, Pay Now first shows the new sum."
                : "Delivery is added for the place that you choose: Pay Now first shows the sum, and pays it when you press again."}
            </p>
          </noscript>
        </div>
      </Form>
      {choosing && (
        <Suspense>
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
        </Suspense>
      )}
    </main>
  );
}

/** The fields with one of them changed, and those that hang on it empty. */
function withField(fields: Fields, name: keyof Fields, value: string): Fields {
  return {
    ...fields,
    [name]: value,
    ...(name === "country" && { state: "", deliveryType: "" }),
    ...(name === "state" && { localGovernment: "" }),
  };
}

/** When it is there, and a dialog has given the focus back: the first wrong field, or what is said of the whole form. */
function showProblem(): void {
  setTimeout(() => {
    const wrong = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
    if (wrong) wrong.focus();
    else document.querySelector('main [role="alert"]')?.scrollIntoView({ block: "center" });
  });
}

/** The server knows the numbers of each country; here only what can be none is told early. */
function couldBePhone(number: string): boolean {
  const digits = number.replace(/\D/g, "").length;
  return digits >= 5 && digits <= 15;
}

/** Another tab or device may change the cart: the sums follow, but not under a running payment. */
function useFollowCart(shownVersion: number, follows: boolean): void {
  const version = useCartVersion();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (follows && version > shownVersion) void revalidate();
  }, [version, shownVersion, follows, revalidate]);
}
