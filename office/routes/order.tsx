import { randomUUID } from "node:crypto";
import {
  data,
  Form,
  type LoaderFunctionArgs,
  redirect,
  useLoaderData,
  useNavigation,
  useSearchParams,
  useSubmit,
} from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { dollarsOfKobo, FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatRate, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { formOf } from "#app/orders/lifecycle.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { shippingKobo } from "#app/orders/refund-plan.ts";
import { actsOn } from "#app/owner/orders/acts.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { ISSUE_ADVICE } from "#app/owner/orders/issue-advice.ts";
import type { OrderMailKind } from "#app/owner/orders/mail-kinds.ts";
import { openIssues, viewOrder } from "#app/owner/orders/view.server.ts";
import { searchReturns } from "#app/owner/returns/search.server.ts";
import { shopDay, shopDayOf } from "#app/owner/shop-time.server.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { may } from "#app/staff/roles.ts";
import { capital } from "#app/ui/capital.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { keepWhatIsTyped, notDoneText, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { Time } from "../frame/times.tsx";
import { changes } from "../http/changes.server.ts";
import { staffOf } from "../http/staff.server.ts";
import { LookedInto } from "../money/looked-into.tsx";
import { AddressPanel } from "../orders/address-panel.tsx";
import { ORDER_CHANGES } from "../orders/changes.server.ts";
import { CustomerSection } from "../orders/customer.tsx";
import { MoneyRows, ProviderNotice } from "../orders/money.tsx";
import { NoteForm } from "../orders/note-form.tsx";
import { OrderActions } from "../orders/order-actions.tsx";
import { SinceWords, useSeen } from "../orders/panel.tsx";
import { Pieces } from "../orders/pieces.tsx";
import { RefundPanel } from "../orders/refund-panel.tsx";
import { CancelPanel, DeliverPanel, MailPanel, SendPanel } from "../orders/small-panels.tsx";
import { Timeline } from "../orders/timeline.tsx";
import { ReturnsOf } from "../returns/of-order.tsx";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const number = readOrderNumber(params.number ?? "");
  const order = number && (await viewOrder(db(), number));
  if (!order) throw data(null, 404);
  if (number !== params.number) throw redirect(`/orders/${number}`);
  const { states, pickups } = await loadShippingRates(db());
  const { role } = staffOf(context);
  const left = order.readyAt ?? order.fulfilledAt;
  return {
    days: { today: shopDay(), left: left ? shopDayOf(left) : undefined },
    order: { ...order, form: formOf(order.shipping), isPickUp: order.shipping.pickupCenter !== "" },
    acts: await actsOn(db(), order.reference),
    happenings: await orderHistory(db(), number),
    issues: await openIssues(db(), order.id),
    returns: (await searchReturns(db(), { view: "all", reference: order.reference })).returns,
    customerId: may(role, "customers") ? order.userId : null,
    places: { states: states.map(({ name }) => name), centers: pickups.map(({ name }) => name) },
    mayChange: may(role, "orders"),
    mayRefund: may(role, "refunds"),
    key: randomUUID(),
  };
}

export const action = changes(ORDER_CHANGES);
export const clientAction = keepWhatIsTyped;

/** Also after a refusal: it may be about what others have done. */
export function shouldRevalidate({ actionResult }: { actionResult?: { isOffline?: boolean } }): boolean {
  return !actionResult?.isOffline;
}

export default function Order() {
  useFresh();
  const { order, happenings, issues, returns, customerId, mayChange, mayRefund, key } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const submit = useSubmit();
  const [params] = useSearchParams();
  const panel = done?.ok ? "" : (params.get("do") ?? "");
  const rate = parseRate(order.rate) ?? FALLBACK_RATE;
  const customer = `${order.shipping.firstName} ${order.shipping.lastName}`.trim();
  const post = (intent: string) => void submit({ intent, seen: order.version }, { method: "post" });
  const hidden = panel ? "max-lg:hidden" : "";
  return (
    <Page
      title={order.number}
      back={{ to: "/orders", title: "Orders" }}
      about={
        <>
          {customer && `${customer} · `}
          <Time at={order.placedAt} look="date" />
        </>
      }
      actions={mayChange && <OrderActions order={order} post={post} />}
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_25rem] lg:gap-x-12">
        <div className={`min-w-0 ${hidden}`}>
          <Said done={done} isPanel={panel !== ""} />
          {issues.map(({ reference, kind }) => (
            <Issue
              key={`${reference} ${kind}`}
              reference={reference}
              kind={kind}
              seen={order.version}
              mayChange={mayChange}
            />
          ))}
          <section className="mt-5">
            <p className="mb-2.5">
              <State tone={order.standing.tone}>{order.standing.text}</State>
            </p>
            <Pieces lines={order.lines} rate={rate} back={order.refundable?.backPieces ?? []} />
            <Money />
            <p className="text-[0.8125rem] leading-4.5 text-muted">
              $1 = {formatRate(rate)}, fixed on <Time at={order.rateAt} look="date" />.
            </p>
          </section>
          {returns.length > 0 && <ReturnsOf returns={returns} />}
          <Section title="What happened">
            <Timeline happenings={happenings} />
            {mayChange && <NoteForm noteKey={key} />}
          </Section>
        </div>
        <div className="min-w-0">
          {mayChange && panel && (mayRefund || panel !== "refund") && (
            <OpenPanel key={panel} panel={panel} done={done} />
          )}
          <div className={hidden}>
            <CustomerSection order={order} customerId={customerId} />
          </div>
        </div>
      </div>
    </Page>
  );
}

type Outcome = ReturnType<typeof useAnswer<typeof action>>;

/** What became of the last press, where no panel says it. */
function Said({ done, isPanel }: { done: Outcome; isPanel: boolean }) {
  if (!done || (isPanel && done.intent !== "note")) return null;
  if (done.ok) return <Notice kind="done">{capital(done.what)}.</Notice>;
  if (!("problem" in done)) return null;
  if (!done.since) return <Notice kind="error">{notDoneText(done)}</Notice>;
  return (
    <Notice kind="conflict">
      <SinceWords acts={done.since} />
      <p>Your press came later and did nothing. The order is here as it is now.</p>
    </Notice>
  );
}

function OpenPanel({ panel, done }: { panel: string; done: Outcome }) {
  const { order, acts, places, days, key } = useLoaderData<typeof loader>();
  const seen = useSeen(order.version, acts);
  const isPending = useNavigation().formData !== undefined;
  const isOwn = done !== undefined && !done.ok;
  const form = { seen, isPending, problem: isOwn && "problem" in done ? done.problem : undefined };
  const problems = isOwn && "problems" in done ? done.problems : {};
  const problem = form.problem ?? Object.values(problems)[0];
  const left = (order.paidKobo ?? order.kobo) - order.refundedKobo - order.refundingKobo;
  switch (panel) {
    case "refund":
      return order.refundable ? (
        <RefundPanel
          {...form}
          problem={problem}
          lines={order.lines}
          refundable={order.refundable}
          stock={order.stock}
          firstName={order.shipping.firstName}
          refundKey={key}
        />
      ) : null;
    case "address":
      return <AddressPanel {...form} {...places} form={order.form} problems={problems} />;
    case "send":
      return (
        <SendPanel
          {...form}
          problem={problem}
          isSent={order.fulfilledAt !== null}
          parcel={{ carrier: order.carrier ?? "", tracking: order.tracking ?? "" }}
        />
      );
    case "deliver":
      return <DeliverPanel {...form} {...days} isPickUp={order.isPickUp} dayProblem={problems.day} />;
    case "cancel":
      return <CancelPanel {...form} isPaid={order.saleId !== null} sum={formatKobo(kobo(left))} />;
    case "mail":
      return <MailPanel {...form} problem={problem} kinds={mailKinds(order)} email={order.email} mailKey={key} />;
    default:
      return null;
  }
}

type Order = ReturnType<typeof useLoaderData<typeof loader>>["order"];

function mailKinds({ saleId, fulfilledAt, readyAt, refundedKobo, refundingKobo }: Order): OrderMailKind[] {
  const kinds: (OrderMailKind | false)[] = [
    saleId !== null && "order-confirmation",
    fulfilledAt !== null && "order-sent",
    readyAt !== null && "order-ready",
    refundingKobo > 0 && "refund-started",
    refundedKobo > 0 && "refund-done",
  ];
  return kinds.filter((kind) => kind !== false);
}

function Money() {
  const { order } = useLoaderData<typeof loader>();
  const rate = parseRate(order.rate) ?? FALLBACK_RATE;
  const shipping = shippingKobo({ kobo: order.kobo, shippingCents: order.shippingCents, rate });
  const back = order.refundedKobo;
  const row = (label: string, sum: number, cents?: number) => ({
    label,
    naira: formatKobo(kobo(sum)),
    dollars: formatUsd(cents === undefined ? dollarsOfKobo(sum, rate) : usdCents(cents)),
  });
  const to = order.shipping.pickupCenter || order.shipping.state || order.shipping.country;
  return (
    <>
      <MoneyRows
        rows={[
          row("Pieces", order.kobo - shipping, order.subtotalCents),
          row(`Delivery to ${to}`, shipping, order.shippingCents),
          order.paidKobo === null
            ? { ...row("To pay", order.kobo, order.totalCents), isTotal: true }
            : { ...row("Paid", order.paidKobo), isTotal: true },
          row("Given back", back),
          ...(order.refundingKobo > 0 ? [row("On its way back", order.refundingKobo)] : []),
        ]}
      />
      <ProviderNotice {...order} />
    </>
  );
}

function Issue({
  reference,
  kind,
  seen,
  mayChange,
}: {
  reference: string;
  kind: keyof typeof ISSUE_ADVICE;
  seen: string;
  mayChange: boolean;
}) {
  const { what, advice } = ISSUE_ADVICE[kind];
  return (
    <Notice
      kind="error"
      actions={
        mayChange && (
          <>
            {kind === "refund-failed" && (
              <Form method="post">
                <input type="hidden" name="seen" value={seen} />
                <Button look="line" name="intent" value="retry">
                  Try again
                </Button>
              </Form>
            )}
            <LookedInto kind={kind} about={reference} seen={seen} />
          </>
        )
      }
    >
      <strong className="font-semibold">{what}</strong> {advice}
    </Notice>
  );
}
