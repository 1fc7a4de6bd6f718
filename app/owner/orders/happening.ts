import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { partTexts } from "#app/orders/view.ts";
import type { OrderLine, RefundedPiece } from "#db/types.ts";

/**
 * An event in the history of an order or return. `look`: a milestone ("key"), staff must act ("waiting"), something is
 * wrong ("person"), or none of these.
 */
export type Happening = {
  at: Date;
  title: string;
  /** The URL of the office's page with more about it. */
  to?: string;
  /** A member of staff, a system user or the provider. */
  by?: string;
  text?: string;
  /** Text that somebody wrote. */
  words?: string;
  look: "key" | "waiting" | "person" | "plain";
};

const REFUND_OUTCOMES: Partial<Record<string, { title: string; look: Happening["look"] }>> = {
  done: { title: "is back with the shopper", look: "key" },
  failed: { title: "couldn’t be given back", look: "person" },
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

/**
 * The events of a refund. `provider` is the name of the payment's provider, `by` who requested it in the shop; `mailed`
 * returns the state of the mail with a key, in words.
 */
export function refundHappenings(
  lines: OrderLine[],
  refund: Refund,
  provider: string | undefined,
  by: string | undefined,
  mailed: (key: string) => string | undefined,
): Happening[] {
  const sum = formatKobo(kobo(Number(refund.kobo)));
  const begun: Happening = {
    at: refund.createdAt,
    title: `${sum} on its way back`,
    by: refund.origin === "provider" ? `at ${provider}` : by,
    text: sentences(
      partTexts(lines, refund).join("; "),
      refund.cause ?? (refund.reason === "cancelled" ? "Cancelled" : undefined),
      refund.pieces.length > 0 && (refund.restock ? "Back in stock" : "Not back in stock"),
      mailed(`refund:${refund.id}`),
    ),
    look: "waiting",
  };
  const outcome = REFUND_OUTCOMES[refund.state];
  if (!outcome) return [begun];
  const text = sentences(refund.lastError ?? undefined, mailed(`refund-done:${refund.id}`));
  return [begun, { at: refund.updatedAt, title: `${sum} ${outcome.title}`, text, look: outcome.look }];
}

/** The state of a mail in words. `hasReader`: whether it has a recipient. */
export function mailWords(state: string, hasReader: boolean): string {
  if (state === "sent") return "Mailed";
  if (state === "queued") return "The mail is on its way";
  return hasReader ? "The mail went to no mailbox" : "Nobody to mail to";
}

export function sentences(...parts: (string | false | undefined)[]): string | undefined {
  const given = parts.filter(Boolean);
  return given.length > 0 ? `${given.join(". ")}.` : undefined;
}
