import * as messages from "#app/messages.ts";
import { type Numbers, textOf } from "#app/numbers/numbers.ts";
import { readExchange } from "./exchange.ts";
import { RETURN_REASONS } from "./return.ts";
import type { ReturnFault, ReturnRequest, WantedPiece } from "./rules.ts";

/** The value of a piece's field `instead` if the shopper wants money. */
export const MONEY = "money";
export const MOST_WORDS = 1000;

/** A piece's key in the form. Product ids have neither a colon nor a space. */
export const pieceKey = ({ productId, size }: { productId: string; size: string }) => `${productId}:${size}`;

export type Texts = Record<string, string>;
/** Errors by field name, by `pieces` for all pieces, or by `form`. */
export type ReturnErrors = Texts;
/** The errors of a posted form, and its input to show again. */
export type ReturnAnswer = { errors: ReturnErrors; kept: Texts };

/** The pieces that a form names, each with money, another size (L) or another colour (ID:L) wanted for it. */
export function piecesIn(fields: Texts): WantedPiece[] {
  return Object.entries(fields).flatMap(([name, text]): WantedPiece[] => {
    const [, productId, size] = /^quantity:([^:]+):([^:]+)$/.exec(name) ?? [];
    const quantity = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    if (!productId || !size || quantity === 0) return [];
    const piece = { productId, size, quantity };
    const instead = fields[`instead:${productId}:${size}`] || MONEY;
    if (instead === MONEY) return [{ ...piece, newSize: null }];
    return [{ ...piece, newSize: instead, ...readExchange(`${pieceKey(piece)}:${instead}`) }];
  });
}

/** Reads the posted form, or returns the errors that can be found without reading the order. */
export function readReturnForm(fields: Texts): { request: ReturnRequest } | { errors: ReturnErrors } {
  const pieces = piecesIn(fields);
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

type Fault = { fault: ReturnFault; at?: number };

/** The error text of a fault, under the name of its field. `numbers`: those of the order, if not the usual ones. */
export function errorsOf({ pieces }: ReturnRequest, { fault, at }: Fault, numbers?: Numbers): ReturnErrors {
  const piece = at === undefined ? undefined : pieces[at];
  const text = textOf(messages.returns.faults[fault], numbers);
  if (piece) return { [`${/size|color|sold-out/.test(fault) ? "instead" : "quantity"}:${pieceKey(piece)}`]: text };
  if (fault === "no-words") return { words: text };
  return { [fault === "no-pieces" ? "pieces" : "reason"]: text };
}
