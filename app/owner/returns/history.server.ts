import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { NOBODY } from "#app/infra/mail.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { RETURN_STEPS, type ReturnStep, returnTexts } from "#app/orders/returns/mail-data.ts";
import type { ReturnPiece, ReturnReason, ReturnWish } from "#app/orders/returns/return.ts";
import { PIECES } from "#app/orders/returns/rows.server.ts";
import type { ReturnState } from "#app/orders/returns/state.ts";
import type { OrderLine } from "#db/types.ts";
import { acts, whoOf } from "../orders/acts.server.ts";
import { type Happening, mailWords, sentences } from "../orders/happening.ts";
import { REASON_WORDS } from "./standing.ts";

/** The history of a return. The events of its refund are in the order's history. */
export type ReturnHistory = {
  number: string;
  refundId: string | null;
  /** The member of staff who refunded it. */
  refundedBy?: string;
  happenings: Happening[];
};

/** The histories of the returns of these payments, in no particular order. */
export async function returnsHistory(on: Db, references: string[]): Promise<ReturnHistory[]> {
  const rows = await on
    .selectFrom("returns")
    .innerJoin("sales", "sales.reference", "returns.reference")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .selectAll("returns")
    .select("orders.lines")
    .select(PIECES.as("pieces"))
    .select(sql<Date[]>`array(select added_at from return_pictures where return_id = returns.id)`.as("pictured"))
    .where("returns.reference", "in", references.length > 0 ? references : [""])
    .execute();
  if (rows.length === 0) return [];
  const numbers = rows.map(({ number }) => number);
  const all = await acts(on, "return", "0").select("subjectId").where("subjectId", "in", numbers).execute();
  const keys = rows.flatMap(({ id }) => RETURN_STEPS.map((step) => `return:${id}:${step}`));
  const mails = await mailTexts(on, keys);
  return rows.map((row) => {
    const done = all.filter(({ subjectId }) => subjectId === row.number);
    const by = (action: string) => {
      const act = done.find((one) => one.action === `returns ${action}`);
      return act && whoOf(act);
    };
    const mailed = (step: ReturnStep) => mails.get(`return:${row.id}:${step}`);
    return {
      number: row.number,
      refundId: row.refundId,
      refundedBy: by("refund"),
      happenings: happeningsOf(row, by, mailed).map((one) => ({ ...one, to: `/returns/${row.number}` })),
    };
  });
}

type Row = {
  number: string;
  state: ReturnState;
  wish: ReturnWish;
  reason: ReturnReason;
  words: string;
  answer: string;
  sendBack: boolean;
  restocked: boolean;
  carrier: string | null;
  tracking: string | null;
  askedAt: Date;
  decidedAt: Date | null;
  receivedAt: Date | null;
  endedAt: Date | null;
  lines: OrderLine[];
  pieces: ReturnPiece[];
  pictured: Date[];
};

function happeningsOf(
  row: Row,
  by: (action: string) => string | undefined,
  mailed: (step: ReturnStep) => string | undefined,
): Happening[] {
  const { state, wish, pictured, askedAt, decidedAt, receivedAt, endedAt, answer, carrier, tracking } = row;
  const what = wish === "exchange" ? "Exchange" : "Return";
  const isDeclined = state === "declined";
  const all: (Happening | false | null | undefined)[] = [
    {
      at: askedAt,
      title: `${what} requested`,
      by: row.number,
      text: sentences(returnTexts(row.lines, row.pieces).join("; "), REASON_WORDS[row.reason], mailed("asked")),
      words: row.words || undefined,
      look: "waiting",
    },
    pictured[0] && {
      at: new Date(Math.max(...pictured.map((time) => time.getTime()))),
      title: `${plural(pictured.length, "picture")} sent`,
      look: "plain",
    },
    // A return that is declined at once has the same time for its decision and its end.
    decidedAt &&
      !(isDeclined && decidedAt.getTime() === endedAt?.getTime()) && {
        at: decidedAt,
        title: `${what} approved`,
        by: by("approve"),
        text: sentences(!row.sendBack && "Nothing has to be sent back", mailed("approved")),
        words: (!isDeclined && answer) || undefined,
        look: "plain",
      },
    receivedAt && {
      at: receivedAt,
      title: "Items are back",
      by: by("receive"),
      text: sentences(mailed("received")),
      look: "waiting",
    },
    endedAt &&
      isDeclined && {
        at: endedAt,
        title: `${what} declined`,
        by: by("decline"),
        text: sentences(mailed("declined")),
        words: answer || undefined,
        look: "plain",
      },
    endedAt && state === "withdrawn" && { at: endedAt, title: `${what} withdrawn by the shopper`, look: "plain" },
    endedAt &&
      state === "done" &&
      wish === "exchange" && {
        at: endedAt,
        title: "Exchange sent",
        by: by("exchange"),
        text: sentences(
          [carrier, tracking].filter(Boolean).join(", "),
          row.restocked && "Returned items are back in stock",
          mailed("sent"),
        ),
        look: "key",
      },
  ];
  return all.filter((one): one is Happening => Boolean(one));
}

/** The state of the mails with these keys, in words. */
export async function mailTexts(on: Db, keys: string[]): Promise<Map<string, string>> {
  const rows = await on
    .selectFrom("outbox")
    .select(["idempotencyKey as key", "state", "recipient"])
    .where("idempotencyKey", "in", keys)
    .execute();
  return new Map(rows.map(({ key, state, recipient }) => [key, mailWords(state, recipient !== NOBODY)]));
}
