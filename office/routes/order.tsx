import { randomUUID } from "node:crypto";
import { data, type LoaderFunctionArgs, redirect, useLoaderData, useNavigation, useSearchParams } from "react-router";
import { cashRounding } from "#app/by-hand/book.server.ts";
import { isByHand } from "#app/by-hand/means.ts";
import { sumToTake } from "#app/by-hand/rounding.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { isReached } from "#app/infra/mail.server.ts";
import { brandNow } from "#app/infra/settings/shop-settings.server.ts";
import { capital } from "#app/infra/text/capital.ts";
import { dollarsOfKobo, FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatRate, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { isToHandOver, stageOf } from "#app/orders/fulfilment/progress.ts";
import { isAboutTakenMoney } from "#app/orders/issue-kind.ts";
import { formOf } from "#app/orders/lifecycle.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { receiptNumberOf } from "#app/orders/receipts/receipt.server.ts";
import { shippingKobo } from "#app/orders/refund-plan.ts";
import { actsOn, actTo } from "#app/owner/orders/acts.server.ts";
import { chatAbout } from "#app/owner/orders/chat.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { ISSUE_ADVICE } from "#app/owner/orders/issue-advice.ts";
import type { OrderMailKind } from "#app/owner/orders/mail-kinds.ts";
import { IS_TEST } from "#app/owner/orders/may-leave.ts";
import { orderToPack } from "#app/owner/orders/packing.server.ts";
import { sizesToChange } from "#app/owner/orders/sizes/sizes.server.ts";
import { takeableActs } from "#app/owner/orders/take-back.server.ts";
import { type OpenIssue, openIssues, viewOrder } from "#app/owner/orders/view.server.ts";
import { searchReturns } from "#app/owner/returns/search.server.ts";
import { shopDay, shopDayOf } from "#app/owner/shop-time.server.ts";
import { toGiveBack } from "#app/payments/by-hand/give.server.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import { trackingUrl } from "#app/shipping/carriers/carrier.ts";
import { shopCarriers } from "#app/shipping/carriers/carriers.server.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { type Granted, may } from "#app/staff/roles.ts";
import { useAnswer, useTimesDone } from "../connection/answer.ts";
import { ButtonLink } from "../frame/button.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, notDoneText, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Hint, Page, Section } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { Time } from "../frame/times.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { AnswerBy } from "../money/answer-by.tsx";
import { LookedInto } from "../money/looked-into.tsx";
import { RetryRefund } from "../money/retry-refund.tsx";
import { NoteForm } from "../notes/note-form.tsx";
import { AddressPanel } from "../orders/address-panel.tsx";
import { GivenPanel, PaidPanel, whereBack } from "../orders/by-hand-panels.tsx";
import { ORDER_CHANGES } from "../orders/changes.server.ts";
import { CustomerSection } from "../orders/customer.tsx";
import { mayDo } from "../orders/doings.ts";
import { HandoverSection, MadeHandoverLink } from "../orders/handover.tsx";
import { MoneyRows, ProviderNotice } from "../orders/money.tsx";
import { OrderActions } from "../orders/order-actions.tsx";
import { SinceNotice, useSeen } from "../orders/panel.tsx";
import { ParcelPhotos } from "../orders/photos/parcel-photos.tsx";
import { Pieces } from "../orders/pieces.tsx";
import { RefundPanel } from "../orders/refund-panel.tsx";
import { SizePanel } from "../orders/size-panel.tsx";
import {
  CancelPanel,
  DeliverPanel,
  GivePanel,
  MailPanel,
  ReadyPanel,
  ReturnPanel,
  SendPanel,
} from "../orders/small-panels.tsx";
import { TakeBack } from "../orders/take-back.tsx";
import { Timeline } from "../orders/timeline.tsx";
import { ReturnsOf } from "../returns/of-order.tsx";
import { shownTags, TAGS_NEED } from "../tags/changes.server.ts";
import { Tags } from "../tags/tags.tsx";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { role, email } = requirePermission(context, "orders");
  const number = readOrderNumber(params.number ?? "");
  const order = number && (await viewOrder(db(), number));
  if (!order) throw data(null, 404);
  if (number !== params.number) throw redirect(`/orders/${number}`);
  const left = order.readyAt ?? order.fulfilledAt;
  const isPickUp = order.shipping.pickupCenter !== "";
  const isWaiting = order.state === "sold" && isToHandOver({ stage: stageOf(order), isPickUp });
  const [carriers, { name }] = await Promise.all([shopCarriers(db()), brandNow(db)]);
  const parcelUrl = trackingUrl(carriers, order);
  const sizes = may(role, "packing") ? await sizesToChange(db(), order) : undefined;
  const toGive = order.trial || !may(role, "details") ? undefined : await toGiveBack(db(), order.reference);
  return {
    days: { today: shopDay(), left: left ? shopDayOf(left) : undefined },
    order: {
      ...orderToPack(order),
      isPickUp,
      isDisputed: order.issues.some(isAboutTakenMoney),
      isByStaff: order.isByStaff,
      hasEmail: isReached(order.email),
      hasOtherSize: sizes !== undefined && sizes.lines.length > 0,
      isToGive: toGive !== undefined,
    },
    toGive,
    cashSum: order.isByStaff && may(role, "till") ? sumToTake(order.kobo, "cash", await cashRounding(db())) : 0,
    handoverLink: isWaiting && may(role, "packing") ? order.handoverLink : null,
    pictures: order.pictures.map(({ id }) => id),
    sizes,
    takeable: may(role, "packing") ? (await takeableActs(db(), [number]))[0] : undefined,
    acts: (await actsOn(db(), order.reference)).map((act) => ({ id: act.id, ...actTo(email, act) })),
    details: may(role, "details") ? await detailsOf(order, role) : undefined,
    tags: !order.trial && may(role, TAGS_NEED.order) ? await shownTags(role, "order", order.id) : undefined,
    chat: order.trial ? undefined : chatAbout(order, { site: env.publicUrl.origin, name }, parcelUrl),
    parcelUrl,
    carriers: carriers.map(({ name }) => name),
    role: order.trial ? NOTHING : role,
    key: randomUUID(),
  };
}

const NOTHING: Granted = { permissions: [] };
/** The intents of the forms outside of panels, whose results are shown even while a panel is open. */
const BESIDE = ["note", "tag", "untag", "photo", "remove-photo"];

/** The data of an order for members who may see more than packers do. */
async function detailsOf(order: NonNullable<Awaited<ReturnType<typeof viewOrder>>>, role: Granted) {
  const { states, pickups } = await loadShippingRates(db());
  return {
    ...order,
    form: formOf(order.shipping),
    happenings: await orderHistory(db(), order.number),
    issues: await openIssues(db(), order.id),
    returns: (await searchReturns(db(), { view: "all", reference: order.reference })).rows,
    receipt: order.saleId === null ? undefined : await receiptNumberOf(db(), order.saleId),
    customerId: may(role, "customers") ? order.userId : null,
    places: { states: states.map(({ name }) => name), centers: pickups.map(({ name }) => name) },
  };
}

type Details = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["details"]>;

export const action = changes(ORDER_CHANGES);
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

export default function Order() {
  useFresh();
  const { order, parcelUrl, details, handoverLink, pictures, tags, chat, role, key } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const photosAdded = useTimesDone(done, "photo");
  const [params] = useSearchParams();
  const panel = done?.ok ? "" : (params.get("do") ?? "");
  const rate = details && (parseRate(details.rate) ?? FALLBACK_RATE);
  const mayServe = may(role, "service");
  const customer = `${order.shipping.firstName} ${order.shipping.lastName}`.trim();
  const hidden = panel ? "max-lg:hidden" : "";
  return (
    <Page
      title={order.number}
      back={{ to: "/orders", title: "Orders" }}
      about={
        <>
          <span>{customer && `${customer} · `}</span>
          <Time at={order.orderedAt} look="date" />
        </>
      }
      actions={!order.trial && <OrderActions order={order} role={role} />}
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_25rem] lg:gap-x-12">
        <div className={`min-w-0 ${hidden}`}>
          <ActionNotice done={done} isPanel={panel !== ""} />
          {order.trial && <Notice kind="info">{IS_TEST}.</Notice>}
          {details?.issues.map((issue) => (
            <Issue key={`${issue.reference} ${issue.kind}`} {...issue} seen={order.version} role={role} />
          ))}
          <div className="mt-5">
            <p className="mb-2.5">
              <State tone={order.standing.tone}>{order.standing.text}</State>
            </p>
            <Pieces lines={details?.lines ?? order.lines} rate={rate} back={order.back} />
            {details && <Money details={details} />}
          </div>
          {details && details.returns.length > 0 && <ReturnsOf returns={details.returns} />}
          {details && (
            <Section title="What happened">
              <Timeline happenings={details.happenings} />
              {mayServe && <NoteForm noteKey={key} />}
            </Section>
          )}
        </div>
        <div className="min-w-0">
          {panel && mayDo(role, panel) && <OpenPanel key={panel} panel={panel} done={done} />}
          <div className={hidden}>
            <CustomerSection
              order={order}
              parcelUrl={parcelUrl}
              chat={chat}
              mayNote={mayServe}
              email={details?.email}
              reference={details?.reference}
              customerId={details?.customerId}
            />
            {handoverLink && <HandoverSection link={handoverLink} />}
            <ParcelPhotos
              number={order.number}
              pictures={pictures}
              mayChange={may(role, "packing")}
              isPacked={stageOf(order) !== "paid"}
              problem={done?.intent === "photo" && "problems" in done ? done.problems.picture : undefined}
              added={photosAdded}
            />
            {tags && <Tags {...tags} list="/orders" />}
          </div>
        </div>
      </div>
    </Page>
  );
}

type Outcome = ReturnType<typeof useAnswer<typeof action>>;

/** The result of the last action, unless a panel shows it. */
function ActionNotice({ done, isPanel }: { done: Outcome; isPanel: boolean }) {
  const { takeable } = useLoaderData<typeof loader>();
  if (!done || (isPanel && !BESIDE.includes(done.intent))) return null;
  if (done.ok) {
    const again = takeable && <TakeBack key={takeable.act} seconds={takeable.seconds} fields={{ act: takeable.act }} />;
    if (done.link)
      return (
        <>
          <MadeHandoverLink what={done.what} link={done.link} />
          {again && (
            <Notice kind="info" actions={again}>
              Marked by mistake? You can take the last step back for a few seconds.
            </Notice>
          )}
        </>
      );
    return (
      <Notice kind="done" actions={again}>
        {capital(done.what)}.
      </Notice>
    );
  }
  if (!("problem" in done)) return null;
  if (!done.since) return <Notice kind="error">{notDoneText(done)}</Notice>;
  return (
    <SinceNotice acts={done.since}>
      Somebody was faster, so nothing was done. This is the order as it is now.
    </SinceNotice>
  );
}

function OpenPanel({ panel, done }: { panel: string; done: Outcome }) {
  const { order, carriers, details, toGive, cashSum, sizes, acts, days, key } = useLoaderData<typeof loader>();
  const seen = useSeen(order.version, acts);
  const isPending = useNavigation().formData !== undefined;
  const isOwn = done !== undefined && !done.ok && !BESIDE.includes(done.intent);
  const form = { seen, isPending, problem: isOwn && "problem" in done ? done.problem : undefined };
  const problems = isOwn && "problems" in done ? done.problems : {};
  const problem = form.problem ?? Object.values(problems)[0];
  const { hasEmail } = order;
  switch (panel) {
    case "send":
      return (
        <SendPanel
          {...form}
          problem={problem}
          isSent={order.fulfilledAt !== null}
          isDisputed={order.isDisputed}
          hasEmail={hasEmail}
          parcel={{ carrier: order.carrier ?? "", tracking: order.tracking ?? "" }}
          carriers={carriers}
        />
      );
    case "ready":
      return (
        <ReadyPanel {...form} center={order.shipping.pickupCenter} isDisputed={order.isDisputed} hasEmail={hasEmail} />
      );
    case "deliver":
      return <DeliverPanel {...form} {...days} isPickUp={order.isPickUp} dayProblem={problems.day} />;
    case "return":
      return <ReturnPanel {...form} />;
    case "size":
      return <SizePanel {...form} {...sizes} problems={problems} hasEmail={hasEmail} />;
  }
  if (!details) return null;
  const left = (details.paidKobo ?? details.kobo) - details.refundedKobo - details.refundingKobo;
  switch (panel) {
    case "refund":
      return details.refundable ? (
        <RefundPanel
          {...form}
          problem={problem}
          lines={details.lines}
          refundable={details.refundable}
          stock={details.stock}
          firstName={order.shipping.firstName}
          whereTo={whereBack(details.provider)}
          refundKey={key}
        />
      ) : null;
    case "give":
      return details.refundable ? (
        <GivePanel
          {...form}
          problem={problem}
          left={formatKobo(kobo(left))}
          back={whereBack(details.provider)}
          hasEmail={hasEmail}
          giveKey={key}
        />
      ) : null;
    case "paid":
      return order.isByStaff ? (
        <PaidPanel
          {...form}
          problems={problems}
          sum={details.kobo}
          cashSum={cashSum}
          paidKey={key}
          hasEmail={hasEmail}
        />
      ) : null;
    case "given":
      return toGive ? <GivenPanel {...form} problems={problems} due={toGive} hasEmail={hasEmail} /> : null;
    case "address":
      return <AddressPanel {...form} {...details.places} form={details.form} problems={problems} hasEmail={hasEmail} />;
    case "cancel":
      return (
        <CancelPanel
          {...form}
          problem={problem}
          isPaid={details.saleId !== null}
          sum={formatKobo(kobo(left))}
          hasEmail={hasEmail}
        />
      );
    case "mail":
      return <MailPanel {...form} problem={problem} kinds={mailKinds(details)} email={details.email} mailKey={key} />;
    default:
      return null;
  }
}

function mailKinds({ saleId, fulfilledAt, readyAt, refundedKobo, refundingKobo }: Details): OrderMailKind[] {
  const kinds: (OrderMailKind | false)[] = [
    saleId !== null && "order-confirmation",
    fulfilledAt !== null && "order-sent",
    readyAt !== null && "order-ready",
    refundingKobo > 0 && "refund-started",
    refundedKobo > 0 && "refund-done",
  ];
  return kinds.filter((kind) => kind !== false);
}

function Money({ details: order }: { details: Details }) {
  const rate = parseRate(order.rate) ?? FALLBACK_RATE;
  const shipping = shippingKobo({ kobo: order.kobo, shippingCents: order.shippingCents, rate });
  const back = order.refundedKobo;
  const row = (label: string, sum: number, cents?: number) => ({
    label,
    naira: formatKobo(kobo(sum)),
    dollars: formatUsd(cents === undefined ? dollarsOfKobo(sum, rate) : usdCents(cents)),
  });
  const { pickupCenter, state, country, deliveryWay } = order.shipping;
  const to = [pickupCenter || state || country, deliveryWay?.name].filter(Boolean).join(", ");
  return (
    <>
      <MoneyRows
        rows={[
          row("Pieces", order.kobo - shipping, order.subtotalCents),
          row(`Delivery to ${to}`, shipping, order.shippingCents),
          ...(order.roundedKobo > 0
            ? [{ label: "Cash rounded down", naira: `−${formatKobo(kobo(order.roundedKobo))}`, dollars: "" }]
            : []),
          order.paidKobo === null
            ? { ...row("To pay", order.kobo, order.totalCents), isTotal: true }
            : { ...row(paidWords(order.provider), order.paidKobo), isTotal: true },
          row("Refunded", back),
          ...(order.refundingKobo > 0 ? [row("On its way back", order.refundingKobo)] : []),
        ]}
      />
      <ProviderNotice {...order} />
      <Hint>
        $1 = {formatRate(rate)}, fixed on <Time at={order.rateAt} look="date" />.
      </Hint>
      {order.receipt && (
        <ButtonLink look="quiet" to={`/orders/${order.number}/receipt`}>
          {`Receipt ${order.receipt}`}
        </ButtonLink>
      )}
    </>
  );
}

/** "Paid", and how, if staff took it by hand. */
function paidWords(provider: string | null): string {
  return provider !== null && isByHand(provider) ? `Paid: ${descriptionOf(provider).name}` : "Paid";
}

function Issue({ reference, kind, provider, dueAt, seen, role }: OpenIssue & { seen: string; role: Granted }) {
  const { what, advice } = ISSUE_ADVICE[kind];
  return (
    <Notice
      kind="error"
      actions={
        (may(role, "refunds") || may(role, "service")) && (
          <>
            {kind === "refund-failed" && may(role, "refunds") && <RetryRefund fields={{ seen }} />}
            {may(role, "service") && <LookedInto kind={kind} provider={provider} about={reference} seen={seen} />}
          </>
        )
      }
    >
      <strong className="font-semibold">{what}</strong> <AnswerBy dueAt={dueAt} /> {advice(descriptionOf(provider))}
    </Notice>
  );
}
