import { isByHand } from "#app/by-hand/means.ts";
import { countUnits } from "#app/cart/cart.ts";
import { SHOPPER } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { NOBODY } from "#app/infra/mail.server.ts";
import { capital } from "#app/infra/text/capital.ts";
import { plural } from "#app/infra/text/plural.ts";
import { parseRate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatRate } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { HANDED_OVER } from "#app/orders/handover/handover.server.ts";
import { OWN_CANCEL } from "#app/orders/refund-causes.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import { notesOn } from "../notes.server.ts";
import { returnsHistory } from "../returns/history.server.ts";
import { allActsOn, type RecordedAct, whoOf } from "./acts.server.ts";
import { type Happening, mailWords, refundHappenings, sentences } from "./happening.ts";
import { ISSUE_ADVICE } from "./issue-advice.ts";
import { MAIL_NAMES, type OrderMailKind } from "./mail-kinds.ts";
import { PARCEL_PICTURES } from "./parcels/pictures.server.ts";
import { ASKED_ONCE_MORE } from "./refunds/retry.server.ts";
import { refusalsOf } from "./refusals.server.ts";

/** The history of an order, newest first, by its number. */
export async function orderHistory(on: Db, number: string): Promise<Happening[]> {
  const order = await on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .select([
      "orders.id",
      "orders.createdAt",
      "orders.lines",
      "orders.rate",
      "holdsStock",
      "releasedAt",
      "sales.id as saleId",
      "sales.createdAt as soldAt",
    ])
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt", "carrier", "tracking"])
    .select(PARCEL_PICTURES.as("pictures"))
    .where("number", "=", number)
    .executeTakeFirst();
  if (!order) return [];
  const payments = await on
    .selectFrom("payments")
    .select([
      "reference",
      "provider",
      "createdAt",
      "state",
      "kobo",
      "paidKobo",
      "paidCurrency",
      "paidAt",
      "awaitedSince",
      "updatedAt",
    ])
    .where("orderId", "=", order.id)
    .execute();
  const references = payments.map(({ reference }) => reference);
  const byHand = new Map(
    (await inReferences(on.selectFrom("handTakings").selectAll(), references)).map((one) => [one.reference, one]),
  );
  const nameOf = new Map(payments.map(({ reference, provider }) => [reference, descriptionOf(provider).name]));
  const allActs = references[0] ? await allActsOn(on, references[0]).execute() : [];
  const takenBack = new Set(allActs.map((act) => act.takenBack));
  const acts = allActs.filter(({ id }) => !takenBack.has(id));
  const refunds = await inReferences(on.selectFrom("refunds").selectAll(), references);
  const back = await returnsHistory(on, references);
  const mails = await mailsOf(on, order, refunds);
  const mailed = (key: string) => mails.find((mail) => mail.key === key)?.text;
  const first = actors(acts);
  const pieces = countUnits(order.lines);
  const rate = parseRate(order.rate);
  const isOfStall = acts.some(({ action }) => action === "orders sell");
  const happenings: (Happening | false | null | undefined)[] = [
    !isOfStall && {
      at: order.createdAt,
      title: order.holdsStock ? "Reserved" : "Begun",
      text: `${plural(pieces, "piece")}${order.holdsStock ? " held" : ""}${rate ? `, $1 = ${formatRate(rate)} fixed` : ""}.`,
      look: "plain",
    },
    order.releasedAt && {
      at: order.releasedAt,
      title: "Ended without a payment",
      text: "Its pieces can be bought again.",
      look: "plain",
    },
    ...(isOfStall ? payments.filter(({ provider }) => isByHand(provider)) : payments).flatMap((payment) =>
      paymentHappenings(
        payment,
        order.saleId ? mailed(`sale:${order.saleId}`) : undefined,
        takenWords(byHand.get(payment.reference)),
      ),
    ),
    ...(await refusalsOf(on, references)).map(
      ({ reference, words, attempt, heardAt }): Happening => ({
        at: heardAt,
        title: "Payment refused",
        by: nameOf.get(reference),
        text: sentences(words.replace(/\.$/, ""), attempt > 1 && `Attempt ${attempt}`),
        look: "waiting",
      }),
    ),
    ...(await webhooksOf(on, nameOf)),
    ...deliveryHappenings(order, first, mailed).filter(({ at }) => !isOfStall || at > (order.soldAt ?? at)),
    ...order.pictures.map(({ at, by }): Happening => {
      return { at: new Date(at), title: "Photo of the parcel", by, look: "plain" };
    }),
    order.returnedAt && { at: order.returnedAt, title: "Came back", by: first("orders return"), look: "waiting" },
    ...refunds.flatMap((refund) => {
      const by = isOwnCancel(refund)
        ? SHOPPER.name
        : (back.find(({ refundId }) => refundId === refund.id)?.refundedBy ?? actorNear(acts, refund.createdAt));
      return refundHappenings(order.lines, refund, nameOf.get(refund.reference), by, mailed);
    }),
    ...refunds
      .filter(isOwnCancel)
      .map(({ createdAt }): Happening => ({ at: createdAt, title: "Cancelled", by: SHOPPER.name, look: "waiting" })),
    ...back.flatMap(({ happenings }) => happenings),
    ...mails.filter(({ isOwn }) => isOwn).map(({ at, title, text }): Happening => ({ at, title, text, look: "plain" })),
    ...otherActs(acts),
    ...(await issuesOf(on, references)),
    ...(await notesOn(on, "order", order.id)),
  ];
  return happenings.filter((one): one is Happening => Boolean(one)).sort((a, b) => b.at.getTime() - a.at.getTime());
}

type Delivery = {
  saleId: string | null;
  carrier: string | null;
  tracking: string | null;
} & Record<"packedAt" | "fulfilledAt" | "readyAt" | "deliveredAt", Date | null>;

/**
 * The steps of an order's delivery. At a stall they are all of the moment of the sale, which has an entry of its own.
 * `first`: who took a step first. `mailed`: what has become of the mail with this key.
 */
function deliveryHappenings(
  { saleId, carrier, tracking, packedAt, fulfilledAt, readyAt, deliveredAt }: Delivery,
  first: (action: string) => string | undefined,
  mailed: (key: string) => string | undefined,
): Happening[] {
  const steps: (Happening | null)[] = [
    packedAt && { at: packedAt, title: "Packed", by: first("orders pack"), look: "plain" },
    fulfilledAt && {
      at: fulfilledAt,
      title: "Sent",
      by: first("orders fulfil"),
      text: sentences([carrier, tracking].filter(Boolean).join(", "), mailed(`sent:${saleId}`)),
      look: "plain",
    },
    readyAt && {
      at: readyAt,
      title: "Ready for pick-up",
      by: first("orders ready"),
      text: mailed(`ready:${saleId}`),
      look: "plain",
    },
    deliveredAt && {
      at: deliveredAt,
      ...(first(HANDED_OVER) ? { title: "Handed over by code" } : { title: "Delivered", by: first("orders deliver") }),
      look: "key",
    },
  ];
  return steps.filter((one) => one !== null);
}

type Payment = {
  provider: string;
  createdAt: Date;
  state: string;
  kobo: string;
  paidKobo: string | null;
  paidCurrency: string | null;
  paidAt: Date | null;
  awaitedSince: Date | null;
};

type TakenByHand = { takenBy: string; bankReference: string | null };

/** Who took the money by hand, and the bank's reference. Undefined if a company took it. */
function takenWords(taken: TakenByHand | undefined): string | undefined {
  if (!taken) return;
  const { takenBy, bankReference } = taken;
  return `Taken by ${takenBy}${bankReference === null ? "" : `, reference ${bankReference}`}`;
}

/** `receipt`: what has become of the confirmation mail. `taken`: who took the money by hand. */
function paymentHappenings(payment: Payment, receipt: string | undefined, taken: string | undefined): Happening[] {
  const { createdAt, state, paidAt, paidKobo, awaitedSince, paidCurrency } = payment;
  const by = descriptionOf(payment.provider).name;
  const sum =
    paidCurrency && paidCurrency !== "NGN"
      ? `${paidCurrency} ${Number(paidKobo) / 100}`
      : formatKobo(kobo(Number(paidKobo ?? payment.kobo)));
  const isRefused = state === "refused";
  return [
    ...(isByHand(payment.provider) ? [] : [{ at: createdAt, title: "Payment opened", look: "plain" as const }]),
    ...(awaitedSince ? [{ at: awaitedSince, title: "Transfer on its way", by, look: "plain" as const }] : []),
    ...(paidAt && paidKobo
      ? [
          {
            at: paidAt,
            title: `${isRefused ? "Came in, and wasn’t accepted:" : "Paid"} ${sum}`,
            by,
            text: [taken, !isRefused && receipt].filter(Boolean).join(". ") || undefined,
            look: isRefused ? ("person" as const) : ("key" as const),
          },
        ]
      : []),
  ];
}

/** The titles of the provider's webhook events, by the event's name. */
const HEARD: Partial<Record<string, string>> = {
  "charge.success": "Payment confirmed",
  "charge.failed": "An attempt to pay failed",
  "charge.dispute.create": "Payment disputed",
  "charge.dispute.remind": "Reminder of the dispute",
  "charge.dispute.resolve": "Dispute closed",
  "refund.pending": "Refund accepted",
  "refund.processing": "Refund on its way to the bank",
  "refund.processed": "Refund handed to the bank",
  "refund.failed": "Refund failed",
  "refund.needs-attention": "Refund needs attention",
};

/** `nameOf`: the name of each payment's provider. */
async function webhooksOf(on: Db, nameOf: Map<string, string>): Promise<Happening[]> {
  const found = on.selectFrom("webhookInbox").select(["reference", "event", "receivedAt"]);
  const rows = await inReferences(found, [...nameOf.keys()]);
  return rows.map(({ reference, event, receivedAt }) => ({
    at: receivedAt,
    title: HEARD[event] ?? "News about the payment",
    by: nameOf.get(reference ?? ""),
    look: "plain",
  }));
}

async function issuesOf(on: Db, references: string[]): Promise<Happening[]> {
  const rows = await inReferences(on.selectFrom("paymentIssues").selectAll(), references);
  return rows.map(({ kind, createdAt }) => ({
    at: createdAt,
    title: "Needs attention",
    text: Object.hasOwn(ISSUE_ADVICE, kind) ? ISSUE_ADVICE[kind as keyof typeof ISSUE_ADVICE].what : kind,
    look: "person",
  }));
}

/** What a mail that is an event of its own is about, by the beginning of its key. */
const OWN_MAILS: Partial<Record<string, string>> = { address: "delivery details changed", size: "size changed" };

type MailOf = { key: string; at: Date; title: string; text: string; isOwn: boolean };

/** The mails about other events in the history, and those that are events of their own (`isOwn`). */
async function mailsOf(
  on: Db,
  { id, saleId }: { id: string; saleId: string | null },
  refunds: { id: string }[],
): Promise<MailOf[]> {
  const keys = [
    ...(saleId ? [`sale:${saleId}`, `sent:${saleId}`, `ready:${saleId}`] : []),
    ...refunds.flatMap((refund) => [`refund:${refund.id}`, `refund-done:${refund.id}`]),
  ];
  const rows = await on
    .selectFrom("outbox")
    .select(["idempotencyKey as key", "kind", "state", "recipient", "createdAt"])
    .where((eb) =>
      eb.or([
        eb("idempotencyKey", "like", `again:${id}:%`),
        ...(keys.length > 0 ? [eb("idempotencyKey", "in", keys)] : []),
        ...(saleId ? [eb("idempotencyKey", "like", `sent:${saleId}:%`)] : []),
        ...(saleId ? [eb("idempotencyKey", "like", `address:${saleId}:%`)] : []),
        ...(saleId ? [eb("idempotencyKey", "like", `size:${saleId}:%`)] : []),
      ]),
    )
    .execute();
  return rows.map(({ key, kind, state, recipient, createdAt }) => {
    const name = Object.hasOwn(MAIL_NAMES, kind) ? MAIL_NAMES[kind as OrderMailKind] : kind;
    const about = OWN_MAILS[key.split(":")[0] ?? ""] ?? "correction of the parcel";
    const title = key.startsWith("again:") ? `Mail once more: ${name}` : `Mail: ${about}`;
    return { key, at: createdAt, title, text: mailWords(state, recipient !== NOBODY), isOwn: !keys.includes(key) };
  });
}

/** Who did each action first. A repeated action is a correction. */
function actors(acts: RecordedAct[]) {
  return (action: string) => byOf(acts.find((act) => act.action === action));
}

const byOf = (act: RecordedAct | undefined) => act && whoOf(act);

const isOwnCancel = ({ cause }: { cause: string | null }) => cause === OWN_CANCEL.cause;

const NEAR = 60_000; // ms

/** Who requested the refund that was recorded at this time. */
function actorNear(acts: RecordedAct[], time: Date): string | undefined {
  return byOf(
    acts.find(
      ({ action, at }) =>
        ["orders refund", "orders cancel"].includes(action) && Math.abs(at.getTime() - time.getTime()) < NEAR,
    ),
  );
}

const ACTS: Record<string, { title: string; look?: Happening["look"] }> = {
  "orders cancel": { title: "Cancelled", look: "waiting" },
  "orders new": { title: "Put together, with a link to pay" },
  "orders sell": { title: "Sold at a stall", look: "key" },
  "orders link": { title: "New link to pay" },
  "orders paid": { title: "Recorded as paid by hand" },
  "orders given": { title: "Given back by hand", look: "key" },
  "orders resolve": { title: "Looked into" },
  "orders address": { title: "Address changed" },
  "orders take back": { title: "Taken back" },
  "orders handover": { title: "New handover link" },
  "customers delete": { title: "The customer’s data was deleted" },
};

/** The actions whose result is told in the history. */
const SAY_WHAT = ["orders new", "orders sell", "orders take back", "orders paid", "orders given"];

function otherActs(acts: RecordedAct[]): Happening[] {
  const corrections = acts.filter(({ action }) => action === "orders fulfil").slice(1);
  return acts.flatMap((act): Happening[] => {
    const { action, at, done } = act;
    const by = whoOf(act);
    if (corrections.includes(act)) return [{ at, by, title: "Parcel corrected", look: "plain" }];
    if (action === "orders refund" && done === ASKED_ONCE_MORE) return retryHappenings(act);
    const [, size, pieces] = /^(size changed from .+? to .+?), ([^;]*)/.exec(done ?? "") ?? [];
    if (size) return [{ at, by, title: capital(size), text: pieces, look: "plain" }];
    const known = ACTS[action];
    if (!known) return [];
    const text =
      action === "orders address"
        ? /^address changed: ([^;]*)/.exec(done ?? "")?.[1]
        : SAY_WHAT.includes(action)
          ? sentences(capital(done ?? ""))
          : undefined;
    return [{ at, by, title: known.title, look: known.look ?? "plain", text }];
  });
}

/**
 * The failed refunds and their retry, from the act in the audit log: the refund's own row has only its current state.
 */
function retryHappenings(act: RecordedAct): Happening[] {
  const refused = (act.failed ?? []).map(({ kobo: sum, at }): Happening => {
    return { at: new Date(at), title: `${formatKobo(kobo(sum))} couldn’t be given back`, look: "person" };
  });
  return [...refused, { at: act.at, by: whoOf(act), title: "Asked to give it back once more", look: "waiting" }];
}

/** The query's rows for these payments. */
function inReferences<Row>(
  query: { where(column: "reference", operator: "in", references: string[]): { execute(): Promise<Row[]> } },
  references: string[],
): Promise<Row[]> {
  return query.where("reference", "in", references.length > 0 ? references : [""]).execute();
}
