import * as messages from "#app/messages.ts";
import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import type { CodeRefusal, Pricing } from "#app/offers/price.ts";
import type { CartOffers } from "../cart.ts";

type Offered = Pick<Pricing<never>, "savedCents" | "freeDelivery" | "toFreeDelivery" | "code"> & {
  takesCodes: boolean;
  endedText?: string;
};

/** The offers of a cart as texts for the shopper, in the cart and at the checkout. */
export function cartOffers(offered: Offered, rate: Rate): CartOffers {
  const { savedCents, freeDelivery, toFreeDelivery, code, takesCodes, endedText } = offered;
  return {
    savedCents: usdCents(savedCents),
    ...(freeDelivery && { freeDelivery: freeDelivery.name }),
    ...(toFreeDelivery !== undefined && { toFreeDelivery: usdCents(toFreeDelivery) }),
    ...(code && {
      code: {
        code: code.code,
        offer: code.offer?.name,
        ...(!code.counts && { refusal: refusalText(code, rate, endedText) }),
      },
    }),
    takesCodes,
  };
}

/** Why a code does not count, in one sentence. */
function refusalText(refusal: CodeRefusal, rate: Rate, endedText?: string): string {
  const { codes } = messages;
  const both = (cents: UsdCents) => `${formatKobo(chargeInKobo(cents, rate))} (${formatUsd(cents)})`;
  switch (refusal.why) {
    case "sum":
      return codes.sum(both(usdCents(refusal.needed)), both(usdCents(refusal.missing)));
    case "pieces":
      return codes.pieces(refusal.needed, refusal.missing);
    case "nothing":
      return refusal.onSale ? codes.onlyOnSale : codes.nothing;
    case "unknown":
      return endedText ?? codes.unknown;
    default:
      return codes[refusal.why];
  }
}
