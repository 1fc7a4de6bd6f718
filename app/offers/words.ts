import { KINDS } from "#app/catalog/product.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import type { Terms } from "./terms.ts";

/**
 * A sentence for the owner about what an offer does: the same in the list, in the commands and in the audit log.
 * `names`: of collections, by id.
 */
export function offerSentence(terms: Terms, byCode: boolean, names: ReadonlyMap<string, string>): string {
  const { fromPieces, from } = terms;
  const needs = [fromPieces > 1 && `${fromPieces} or more of them`, from && `at least ${sumText(from)} of them`];
  const who = [
    terms.firstOrderOnly && "on a first order",
    terms.oncePerShopper && "once for each customer",
    terms.customers.length > 0 && `for ${terms.customers.length} named customers`,
    terms.countries.length > 0 && `for orders to ${terms.countries.join(", ")}`,
  ];
  return [
    `${byCode ? "With a code: " : ""}${giftText(terms, names)}`,
    [...needs].filter(Boolean).length > 0 && `for ${needs.filter(Boolean).join(" and ")}`,
    ...who,
    !terms.onSaleToo && "not on sale prices",
  ]
    .filter(Boolean)
    .join(", ");
}

function giftText({ gift, kinds, products, collections }: Terms, names: ReadonlyMap<string, string>): string {
  const within = collections.map((id) => `everything in ${names.get(id) ?? id}`);
  const on = [...kinds.map((kind) => KINDS[kind].toLowerCase()), ...products, ...within].join(", ") || "everything";
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
