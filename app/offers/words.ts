import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import type { Kind } from "#db/types.ts";
import type { Terms } from "./terms.ts";

/** The names of collections by id, and all kinds. */
export type Named = { collections: ReadonlyMap<string, string>; kinds: readonly Kind[] };

/**
 * A sentence for the owner about what an offer does: the same in the list, in the commands and in the audit log.
 */
export function offerSentence(terms: Terms, byCode: boolean, named: Named): string {
  const { fromPieces, from } = terms;
  const needs = [fromPieces > 1 && `${fromPieces} or more of them`, from && `at least ${sumText(from)} of them`];
  const who = [
    terms.firstOrderOnly && "on a first order",
    terms.oncePerShopper && "once for each customer",
    terms.customers.length > 0 && `for ${terms.customers.length} named customers`,
    terms.countries.length > 0 && `for orders to ${terms.countries.join(", ")}`,
  ];
  return [
    `${byCode ? "With a code: " : ""}${giftText(terms, named)}`,
    [...needs].filter(Boolean).length > 0 && `for ${needs.filter(Boolean).join(" and ")}`,
    ...who,
    !terms.onSaleToo && "not on sale prices",
  ]
    .filter(Boolean)
    .join(", ");
}

function giftText({ gift, kinds, products, collections }: Terms, named: Named): string {
  const within = collections.map((id) => `everything in ${named.collections.get(id) ?? id}`);
  const ofKinds = kinds.map((kind) => (named.kinds.find(({ id }) => id === kind)?.name ?? kind).toLowerCase());
  const on = [...ofKinds, ...products, ...within].join(", ") || "everything";
  switch (gift.kind) {
    case "percent":
      return `${gift.percent}% off ${on}`;
    case "sum":
      return `${sumText(gift.off)} off ${on}, once an order`;
    case "set": {
      const given = gift.percent === 100 ? "free" : `${gift.percent}% off`;
      return `of ${on}, buy ${gift.buy} and get ${gift.get} ${given}`;
    }
    case "delivery":
      return on === "everything" ? "free delivery" : `free delivery with ${on}`;
  }
}

function sumText(sum: NonNullable<Terms["from"]>): string {
  return "kobo" in sum ? formatKobo(kobo(sum.kobo)) : formatUsd(usdCents(sum.cents));
}
