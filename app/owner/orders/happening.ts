import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { partTexts } from "#app/orders/view.ts";
import type { OrderLine, RefundedPiece } from "#db/types.ts";

/** One thing that happened to an order or a return. `look`: money or the end of a way, staff must act, something is wrong, or none of these. */
export type Happening = {
  at: Date;
  title: string;
  /** The page in the office where there is more of it. */
  to?: string;
  /** A member of staff, a system user, the provider. */
  by?: string;
  text?: string;
  /** In somebody's own words. */
  words?: string;
  look: "key" | "waiting" | "person" | "plain";
};

const REFUND_ENDS: Partial<Record<string, { title: string; look: Happening["look"] }>> = {
  done: { title: "is back with the shopper", look: "key" },
  failed: { title: "could not be given back", look: "person" },
  void: { title: "was given back another way", look: "plain" },
};

type Refund = {
  id: string;
  kobo: string;
  origin: string;
  reason: string;
  cause: string | null;
  pieces: RefundedPiece[];
  withShipping: boolean;
  restock: boolean;
  state: string;
  lastError: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** How money went back. `by`: who asked for it in the shop; `mailed`: what became of the mail with this key. */
export function refundHappenings(
  lines: OrderLine[],
  refund: Refund,
  by: string | undefined,
  mailed: (key: string) => string | undefined,
): Happening[] {
  const sum = formatKobo(kobo(Number(refund.kobo)));
  const begun: Happening = {
    at: refund.createdAt,
    title: `${sum} on its way back`,
    by: refund.origin === "provider" ? "at Paystack" : by,
    text: sentences(
      partTexts(lines, refund).join("; "),
      refund.cause ?? (refund.reason === "cancelled" ? "Cancelled" : undefined),
      refund.pieces.length > 0 && (refund.restock ? "Back in stock" : "Not back in stock"),
      mailed(`refund:${refund.id}`),
    ),
    look: "waiting",
  };
  const end = REFUND_ENDS[refund.state];
  if (!end) return [begun];
  const text = sentences(refund.lastError ?? undefined, mailed(`refund-done:${refund.id}`));
  return [begun, { at: refund.updatedAt, title: `${sum} ${end.title}`, text, look: end.look }];
}

/** What became of a mail, by its state; `hasReader`: it has an address. */
export function mailWords(state: string, hasReader: boolean): string {
  if (state === "sent") return "Mailed";
  if (state === "queued") return "The mail is on its way";
  return hasReader ? "The mail went to no mailbox" : "Nobody to mail to";
}

export function sentences(...parts: (string | false | undefined)[]): string | undefined {
  const said = parts.filter(Boolean);
  return said.length > 0 ? `${said.join(". ")}.` : undefined;
}
