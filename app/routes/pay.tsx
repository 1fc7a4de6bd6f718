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
import { dayWords } from "#app/orders/fulfilment/days.ts";
import { isLive } from "#app/orders/state.ts";
import { claimOrder, isForVisitor, readLink } from "#app/payments/links/link.server.ts";
import { payByLink } from "#app/payments/links/pay.server.ts";
import { type PayerOrder, payerPayment, readPayerLink } from "#app/payments/links/payer-link.server.ts";
import {
  type PayerAnswer,
  PayerPage,
  type PayerThanks,
  type PayerView,
  ThanksPage,
} from "#app/payments/links/payer-page.tsx";
import { ClosedLink, type OrderToPay, sumToPay, ToPayPage } from "#app/payments/links/to-pay.tsx";
import { settlePayment } from "#app/payments/settle.server.ts";
import { noteNotOwn } from "#app/payments/status.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
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
  const { number, state, isOver, awaited, firstName, line } = order;
  if (!(isLive(state) || state === "released")) return { number, payerClosed: messages.payerLink.paid };
  if (awaited) return { number, payerClosed: messages.payerLink.awaited };
  if (state === "released" || isOver) return { number, payerClosed: messages.payerLink.over };
  return { payer: { order: toPay(order), firstName, line } };
}

type LinkedOrder = PayerOrder | Awaited<ReturnType<typeof orderOfLink>>;

/** The part of an order that everybody who has its link may see. */
function toPay({ number, lines, kobo, expiresAt, ...order }: LinkedOrder): OrderToPay {
  const { subtotalCents, shippingCents, totalCents, rate } = order;
  return {
    number,
    lines,
    sums: { subtotalCents, shippingCents, totalCents, kobo: Number(kobo), rate },
    until: dayWords(new Date(), env.SHOP_TIMEZONE).dayAndTime(expiresAt),
  };
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
  return {
    number,
    closed: null,
    uid: user?.id,
    who: isBuyer ? ("buyer" as const) : user ? ("another" as const) : ("nobody" as const),
    order: toPay(order),
    shipping: isBuyer ? order.shipping : null,
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
  if ("payerClosed" in loaderData)
    return (
      <ClosedLink number={loaderData.number} isOwn={false}>
        {loaderData.payerClosed}
      </ClosedLink>
    );
  if (loaderData.closed !== null)
    return (
      <ClosedLink number={loaderData.number} isOwn>
        {loaderData.closed}
      </ClosedLink>
    );
  const { who, order, shipping } = loaderData;
  return (
    <ToPayPage
      order={order}
      title="Pay for your order"
      isOwn
      problem={actionData?.problem ?? (who === "another" && messages.paying.another)}
      shipping={shipping}
    >
      {who === "buyer" && (
        // The answer leads to the provider's page, which the browser has to load as a document.
        <Form method="post" reloadDocument>
          <Button>{`Pay ${sumToPay(order)}`}</Button>
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
    </ToPayPage>
  );
}
