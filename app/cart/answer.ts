import {
  type Guard,
  isListOf,
  isNumber,
  isObject,
  isOptional,
  isOrNull,
  isText,
  isTrueOrFalse,
} from "#app/infra/guards.ts";
import type { UsdCents } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";
import type { Cart, CartLine, CartOffers, SizeLimit, Written } from "./cart.ts";
import type { Line, MergeAnswer, Merged } from "./merge.ts";

/** The response of /api/cart. */
export type Answer = {
  cart?: Cart;
  change?: Written;
  merged?: MergeAnswer;
  /** The merge id of the cart in the no-script cookie (no-script-cart.server.ts); `mark` identifies its contents. */
  mergeId?: string;
  mark?: string;
  /** The reason why nothing was changed, as a message for the shopper. */
  problem?: string;
};

const isCents: Guard<UsdCents> = (value): value is UsdCents => Number.isSafeInteger(value);
const isImage = isObject<Omit<ProductImage, "focus">>({
  hash: isText,
  width: isNumber,
  height: isNumber,
  alt: isText,
  background: isText,
});
export const isLine = isObject<CartLine>({
  id: isText,
  title: isText,
  color: isText,
  size: isText,
  quantity: isNumber,
  priceCents: isCents,
  isOnSale: isOptional(isTrueOrFalse),
  oldPriceCents: isOptional(isCents),
  image: isOrNull(isImage),
  addedAt: isText,
  availableQuantity: isNumber,
  maxQuantity: isNumber,
  sizes: isOptional(
    isListOf(isObject<SizeLimit>({ size: isText, availableQuantity: isNumber, maxQuantity: isNumber })),
  ),
  changes: isListOf(isText),
  newPriceCents: isOptional(isCents),
  fullCents: isOptional(isCents),
  offerNames: isOptional(isListOf(isText)),
});
const isCartOffers = isObject<CartOffers>({
  savedCents: isCents,
  freeDelivery: isOptional(isText),
  toFreeDelivery: isOptional(isCents),
  code: isOptional(
    isObject<NonNullable<CartOffers["code"]>>({
      code: isText,
      offer: isOptional(isText),
      refusal: isOptional(isText),
    }),
  ),
  takesCodes: isTrueOrFalse,
});
export const isCart = isObject<Cart>({
  version: isNumber,
  lines: isListOf(isLine),
  offers: isOptional(isCartOffers),
});
const isWritten = isObject<Written>({
  version: isNumber,
  count: isNumber,
  id: isText,
  size: isText,
  color: isText,
  quantity: isNumber,
  priceCents: isCents,
  available: isNumber,
  maxQuantity: isNumber,
  isCapped: isTrueOrFalse,
});
export const isStoredLine = isObject<Line>({ productId: isText, size: isText, color: isText, quantity: isNumber });
const isMerged = isObject<Merged>({
  ok: (value): value is true => value === true,
  added: isListOf(isText),
  adjusted: isTrueOrFalse,
  skipped: isListOf(isText),
  dropped: isOptional(isListOf(isText)),
  capped: isOptional(isListOf(isStoredLine)),
  guestLines: isListOf(isStoredLine),
});
const isFailure = isObject<{ ok: false }>({ ok: (value): value is false => value === false });
const isMergeAnswer: Guard<MergeAnswer> = (value): value is MergeAnswer => isMerged(value) || isFailure(value);

export const isAnswer = isObject<Answer>({
  cart: isOptional(isCart),
  change: isOptional(isWritten),
  merged: isOptional(isMergeAnswer),
  mergeId: isOptional(isText),
  mark: isOptional(isText),
  problem: isOptional(isText),
});
