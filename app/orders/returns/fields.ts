import * as messages from "#app/messages.ts";
import { RETURN_REASONS } from "./return.ts";
import type { ReturnFault, ReturnRequest } from "./rules.ts";

/** What stands in the field `instead` of a piece for which the shopper wants money. */
export const MONEY = "money";
export const MOST_WORDS = 1000;

/** A piece as the form names it; product ids have neither a colon nor a space. */
export const pieceKey = ({ productId, size }: { productId: string; size: string }) => `${productId}:${size}`;

type Texts = Record<string, string>;
/** By the field's name, `pieces` for all of them, or `form`. */
export type ReturnErrors = Texts;
/** What is wrong with a posted form, and what was typed. */
export type ReturnAnswer = { errors: ReturnErrors; kept: Texts };

/** Reads the posted form; the errors that show before the order is looked at. */
export function readReturnForm(fields: Texts): { request: ReturnRequest } | { errors: ReturnErrors } {
  const pieces = Object.entries(fields).flatMap(([name, text]) => {
    const [, productId, size] = /^quantity:([^:]+):([^:]+)$/.exec(name) ?? [];
    const quantity = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    if (!productId || !size || quantity === 0) return [];
    const instead = fields[`instead:${productId}:${size}`] || MONEY;
    return [{ productId, size, quantity, newSize: instead === MONEY ? null : instead }];
  });
  const reason = RETURN_REASONS.find((one) => one === fields.reason);
  const words = (fields.words ?? "").replaceAll("\r\n", "\n");
  const errors: ReturnErrors = {
    ...(pieces.length === 0 && { pieces: messages.returns.faults["no-pieces"] }),
    ...(!reason && { reason: messages.returns.noReason }),
    ...(words.length > MOST_WORDS && { words: messages.form.tooLong }),
  };
  const after = /^\d{1,6}$/.test(fields.after ?? "") ? Number(fields.after) : undefined;
  return reason && Object.keys(errors).length === 0 ? { request: { pieces, reason, words, after } } : { errors };
}

/** The sentence of a fault, at the field that it is about. */
export function errorsOf({ pieces }: ReturnRequest, fault: ReturnFault, at?: number): ReturnErrors {
  const piece = at === undefined ? undefined : pieces[at];
  const says = messages.returns.faults[fault];
  if (piece)
    return { [`${fault.includes("size") || fault === "sold-out" ? "instead" : "quantity"}:${pieceKey(piece)}`]: says };
  if (fault === "no-words") return { words: says };
  return { [fault === "no-pieces" ? "pieces" : "reason"]: says };
}
