import { BadInput } from "#app/infra/bad-input.ts";
import { db } from "#app/infra/database/db.server.ts";
import { typedText } from "#app/infra/text/typed-text.ts";
import { approximateNaira, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatNaira, formatUsd } from "#app/money/format.ts";
import type { Units } from "#app/orders/units.ts";
import { searchProducts } from "#app/owner/catalog/product-list.server.ts";
import { type AgreedPrice, readAgreed } from "#app/owner/orders/links/agreed.server.ts";
import { priceAsked } from "#app/owner/orders/links/new.server.ts";
import { priceName } from "./basket.ts";
import type { Found } from "./pieces.tsx";

/** The most products that a search shows. */
const MOST_FOUND = 8;

/** The products that the search finds and the shop sells. Undefined without a search. */
export async function findProducts(text: string | undefined): Promise<Found[] | undefined> {
  if (!text) return;
  const { rows } = await searchProducts(db(), { view: "all", sort: "shop", text }, {}, MOST_FOUND);
  return rows
    .filter(({ hidden }) => !hidden)
    .map(({ id, title, color, cover, sizes }) => ({ id, title, color, image: cover ?? null, sizes }));
}

/**
 * The items of a draft with their current sums. `typed` has the agreed prices; undefined for a member who may not agree
 * on any. With a problem in one of them, `refused`, the sums have none of them. `unsold`: why the shop does not sell
 * the items as they are; without it and with items, there is an `order`.
 */
export async function readItems(whom: Parameters<typeof priceAsked>[1], units: Units[], typed?: URLSearchParams) {
  const price = async (agreed?: AgreedPrice[]) => await priceAsked(db(), whom, units, agreed).catch(problemOf);
  const { prices, agreed, wrong } = readPrices(units, typed);
  const asAgreed = wrong === undefined && agreed.length > 0 ? await price(agreed) : undefined;
  const refused = wrong ?? (asAgreed && "problem" in asAgreed ? asAgreed.problem : undefined);
  const priced = units.length === 0 ? undefined : asAgreed && !refused ? asAgreed : await price();
  return {
    units,
    prices: typed && prices,
    agreed: refused ? [] : agreed.map((one) => `${one.productId}:${one.size}=${prices[priceName(one)]}`),
    refused,
    unsold: priced && "problem" in priced ? priced.problem : undefined,
    order: priced && "lines" in priced ? { ...sumsIn(priced, whom.basis), lines: priced.lines } : undefined,
  };
}

/** The agreed prices as typed, by parameter, and as read. `wrong`: the problem with the first unreadable one. */
function readPrices(units: Units[], params = new URLSearchParams()) {
  const typed = units.flatMap((one) => {
    const text = typedText(params.get(priceName(one)) ?? "");
    return text ? [{ name: priceName(one), text, agreed: readAgreed(`${one.productId}:${one.size}=${text}`) }] : [];
  });
  const unread = typed.find(({ agreed }) => !agreed);
  return {
    prices: Object.fromEntries(typed.map(({ name, text }) => [name, text])),
    agreed: typed.flatMap(({ agreed }) => agreed ?? []),
    wrong: unread && `“${unread.text}” isn’t a price in dollars. Type it like 35 or 35.50`,
  };
}

/** The problem that a BadInput names. Throws any other error. */
export function problemOf(error: unknown): { problem: string } {
  if (error instanceof BadInput) return { problem: error.message };
  throw error;
}

type Priced = Awaited<ReturnType<typeof priceAsked>>;

/** The sums as texts, in naira and dollars, and the total in kobo. */
function sumsIn({ sums }: Priced, { rate }: { rate: Rate }) {
  const both = (cents: Priced["sums"]["totalCents"]) => {
    return { naira: formatNaira(approximateNaira(cents, rate)), dollars: formatUsd(cents) };
  };
  return {
    items: both(sums.subtotalCents),
    shipping: both(sums.shippingCents),
    total: { naira: formatKobo(sums.kobo), dollars: formatUsd(sums.totalCents) },
    kobo: sums.kobo,
  };
}
