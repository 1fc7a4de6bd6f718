import { data, Form, redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { env } from "#app/infra/env.server.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { networkTurn } from "#app/infra/http/network-turn.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import { knownShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { dayWords } from "#app/orders/fulfilment/days.ts";
import { isLive } from "#app/orders/state.ts";
import { OrderLines, SumsList } from "#app/orders/summary.tsx";
import { rateOfOrder, sumsOfOrder } from "#app/orders/view.ts";
import { claimOrder, isForVisitor, readLink } from "#app/payments/links/link.server.ts";
import { payByLink } from "#app/payments/links/pay.server.ts";
import { payerPayment, readPayerLink } from "#app/payments/links/payer-link.server.ts";
import {
  ClosedLink,
  type PayerAnswer,
  PayerPage,
  type PayerThanks,
  type PayerView,
  ThanksPage,
} from "#app/payments/links/payer-page.tsx";
import { settlePayment } from "#app/payments/settle.server.ts";
import { noteNotOwn } from "#app/payments/status.server.ts";
import { AddressLines } from "#app/shipping/address-lines.tsx";
import { orderDeliveryName } from "#app/shipping/place/place.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/pay";

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const isTheirs = loaderData && !("payer" in loaderData || "payerClosed" in loaderData || "thanks" in loaderData);
  return pageMeta(matches, { title: isTheirs ? "Pay for your order" : "Pay for an order", hidden: true });
};

/** Passes on the headers of an answer, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders, errorHeaders }) => errorHeaders ?? actionHeaders;

/** Wrong codes that one network may try within ten minutes, before it has to wait. */
const MISSES = 30;
/** More presses than a person makes. Each asks the provider. */
const PRESSES = 30;

/** Throws a response with status 404 if the link opens nothing. */
async function orderOfLink(request: Request, code: string) {
  const order = await readLink(db(), code);
  if (order) return order;
  const turn = await networkTurn(db(), request, "wrong pay links", [MISSES, 10 * MINUTE]);
  if (!turn.ok) throw data(null, { status: 429, headers: { "Retry-After": String(turn.retryAfter) } });
  throw data(null, { status: 404 });
}

/** Returns of one network from the provider within ten minutes that ask the provider. */
const RETURNS = 60;

/**
 * The page of somebody else who pays by a shopper's link, or who comes back from the provider: then the payment's
 * reference stands in place of the code. Undefined for anything else.
 */
async function payerPage(request: Request, code: string): Promise<PayerData | undefined> {
  const payment = REFERENCE.test(code) ? await payerPayment(db(), code) : undefined;
  if (payment) {
    const turn = await networkTurn(db(), request, "payers' returns", [RETURNS, 10 * MINUTE]);
    const outcome = turn.ok ? (await settlePayment(payment.reference)).outcome : ("unavailable" as const);
    return { thanks: { number: payment.number, firstName: payment.firstName ?? "", outcome } };
  }
  const order = knownShopSettings().othersPay ? await readPayerLink(db(), code) : undefined;
  if (!order) return;
  const { number, state, isOver, isAwaited, firstName, line, lines, expiresAt } = order;
  if (!(isLive(state) || state === "released")) return { number, payerClosed: messages.payerLink.paid };
  if (isAwaited) return { number, payerClosed: messages.payerLink.awaited };
  if (state === "released" || isOver) return { number, payerClosed: messages.payerLink.over };
  const { subtotalCents, shippingCents, totalCents, rate } = order;
  const sums = { subtotalCents, shippingCents, totalCents, kobo: Number(order.kobo), rate };
  const until = dayWords(new Date(), env.SHOP_TIMEZONE).dayAndTime(expiresAt);
  return { payer: { number, firstName, line, lines, sums, until } };
}

type PayerData = { thanks: PayerThanks } | { number: string; payerClosed: string } | { payer: PayerView };

const REFERENCE = /^[0-9a-f]{32}$/;

/**
 * The order that staff put together, or that a shopper lets somebody else pay. Everybody who has the link sees what
 * it is for and what it costs. Where it goes is for the signed-in shopper alone, who is also the only one to pay an
 * order of staff. Opening the link changes nothing: chats fetch it for their previews.
 */
export async function loader({ request, params }: Route.LoaderArgs) {
  const forPayer = await payerPage(request, params.code);
  if (forPayer) return forPayer;
  const [user, order] = await Promise.all([currentUser(request), orderOfLink(request, params.code)]);
  const isBuyer = user !== null && isForVisitor(order, user);
  const { number, reference, state, isOver, awaited } = order;
  const isSettled = !(isLive(state) || state === "released");
  const isTheirs = isBuyer && order.buyer !== null; // an order that was paid by hand may be in no account
  if (isTheirs && (isSettled || awaited)) throw redirect(`/order/${encodeURIComponent(awaited ?? reference)}`, 303);
  if (isSettled) return { number, closed: messages.paying.paid };
  if (awaited) return { number, closed: messages.paying.awaited };
  if (state === "released" || isOver) return { number, closed: messages.paying.over };
  const { lines, shipping, expiresAt, subtotalCents, shippingCents, totalCents } = order;
  const words = dayWords(new Date(), env.SHOP_TIMEZONE);
  return {
    number,
    closed: null,
    uid: user?.id,
    who: isBuyer ? ("buyer" as const) : user ? ("another" as const) : ("nobody" as const),
    lines,
    sums: { subtotalCents, shippingCents, totalCents, kobo: Number(order.kobo), rate: order.rate },
    until: words.dayAndTime(expiresAt),
    shipping: isBuyer ? shipping : null,
  };
}

type Answer = PayerAnswer;

/** Presses of one network on Pay within ten minutes. Each asks the provider. */
const PAYERS_PRESSES = 60;
/** Presses of all on one link within ten minutes. Each asks the provider about every payment that was opened. */
const PRESSES_ON_LINK = 15;

/** Opens a payment of whoever has a shopper's link. Undefined if it is no such link. */
async function payAsOther(request: Request, code: string) {
  const order = knownShopSettings().othersPay ? await readPayerLink(db(), code) : undefined;
  if (!order) return;
  const email = normalizeEmail((await readForm(request)).email ?? "");
  if (!isEmail(email)) return data<Answer>({ emailError: messages.payerLink.email, email }, { status: 400 });
  const [network, link] = await Promise.all([
    networkTurn(db(), request, "payers", [PAYERS_PRESSES, 10 * MINUTE]),
    limit(db(), [`payers of ${order.id}`, PRESSES_ON_LINK, 10 * MINUTE]),
  ]);
  const limited = network.ok ? link : network;
  if (!limited.ok) {
    const answer: Answer = { problem: messages.form.tooOften, email };
    return data(answer, { status: 429, headers: { "Retry-After": String(limited.retryAfter) } });
  }
  const opened = await payByLink(db("checkout"), order.id, email);
  if (opened.ok) throw redirect(opened.authorizationUrl, 303);
  switch (opened.problem) {
    case "unavailable":
      return data<Answer>({ problem: messages.paying.unavailable, email }, { status: 503 });
    case "refused":
      return data<Answer>({ problem: messages.payerLink.refused, email }, { status: 422 });
    case "too-many":
      return data<Answer>({ problem: messages.payerLink.tooMany, email }, { status: 422 });
    case "over":
    case "paid":
    case "awaited":
      throw redirect(`/pay/${code}`, 303); // which says so
  }
}

/** Opens the payment and leads to the provider's page: 303. 503 with the problem if the provider cannot be reached. */
export async function action({ request, params }: Route.ActionArgs) {
  const answer = await payAsOther(request, params.code);
  if (answer) return answer;
  const order = await orderOfLink(request, params.code);
  const here = `/pay/${params.code}`;
  const user = await currentUser(request);
  if (!user) throw redirect(`/login?next=${here}`, 303);
  if (!isForVisitor(order, user)) {
    await noteNotOwn(db(), user.id, order.reference);
    return data<Answer>({ problem: messages.paying.another }, { status: 403 });
  }
  const limited = await limit(db(), [`pay links of ${user.id}`, PRESSES, 10 * MINUTE]);
  if (!limited.ok) {
    const answer: Answer = { problem: messages.form.tooOften };
    return data(answer, { status: 429, headers: { "Retry-After": String(limited.retryAfter) } });
  }
  if (!(await claimOrder(db("checkout"), order.id, user)))
    return data<Answer>({ problem: messages.paying.another }, { status: 403 });
  const opened = await payByLink(db("checkout"), order.id);
  if (opened.ok) throw redirect(opened.authorizationUrl, 303);
  switch (opened.problem) {
    case "over":
      throw redirect(here, 303);
    case "unavailable":
      return data<Answer>({ problem: messages.paying.unavailable }, { status: 503 });
    case "refused":
    case "too-many":
      return data<Answer>({ problem: messages.paying.refused }, { status: 422 });
    case "paid":
    case "awaited":
      throw redirect(`/order/${encodeURIComponent(opened.reference)}`, 303);
  }
}

export default function Pay({ loaderData, actionData, params }: Route.ComponentProps) {
  useOwner("uid" in loaderData ? loaderData.uid : undefined);
  if ("thanks" in loaderData) return <ThanksPage {...loaderData.thanks} />;
  if ("payer" in loaderData) return <PayerPage {...loaderData.payer} answer={actionData} />;
  if ("payerClosed" in loaderData) return <ClosedLink number={loaderData.number}>{loaderData.payerClosed}</ClosedLink>;
  const { number } = loaderData;
  if (loaderData.closed !== null) {
    return (
      <Notice title={`Order ${number}`}>
        <p className="text-lg">{loaderData.closed}</p>
        <Help about={`my order ${number}`} />
      </Notice>
    );
  }
  const { who, lines, sums, until, shipping } = loaderData;
  const rate = rateOfOrder(sums);
  const sum = formatKobo(kobo(sums.kobo));
  return (
    <main className="page grid max-w-[48rem] gap-8 py-7 lg:py-12">
      <div className="grid gap-2">
        <p className="price text-muted">{`Order ${number}`}</p>
        <h1 className="headline text-3xl sm:text-5xl">Pay for your order</h1>
        <p className="text-lg">{`${sum} in all. We hold these items for you at this price until ${until}.`}</p>
      </div>
      <FormError>{actionData?.problem ?? (who === "another" && messages.paying.another)}</FormError>
      <section aria-labelledby="what" className="grid gap-6 bg-linen p-4 sm:p-7">
        <h2 id="what" className="headline text-lg">
          What it’s for
        </h2>
        <OrderLines lines={lines} rate={rate} />
        <SumsList
          sums={sumsOfOrder(sums)}
          rate={rate}
          delivery={shipping ? { name: orderDeliveryName(shipping) } : undefined}
        />
        {shipping && (
          <div>
            <h3 className="label mb-1">{shipping.deliveryType || "Delivery"}</h3>
            <AddressLines shipping={shipping} />
          </div>
        )}
      </section>
      {who === "buyer" && (
        // The answer leads to the provider's page, which the browser has to load as a document.
        <Form method="post" reloadDocument>
          <Button>{`Pay ${sum}`}</Button>
        </Form>
      )}
      {who === "nobody" && (
        <div className="grid justify-items-start gap-3">
          <p>{messages.paying.signIn}</p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to={`/login?next=/pay/${params.code}`}>Log in to pay</ButtonLink>{" "}
            <ButtonLink to="/register" look="outline">
              Create an account
            </ButtonLink>
          </div>
        </div>
      )}
      <Help about={`my order ${number}`} />
    </main>
  );
}
