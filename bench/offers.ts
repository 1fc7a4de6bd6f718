import type { Gift, Offer } from "#app/offers/offer.ts";
import { type PlainLine, price } from "#app/offers/price.ts";
import type { ProductKind } from "#db/types.ts";
import { type Figure, round } from "./measure.ts";

const KINDS: ProductKind[] = ["jerseys", "tees", "prints", "accessories"];
const RUNS = 100;

/** Measures what the largest cart costs under as many offers as an owner can run, and how that depends on the offers. */
export async function offers(): Promise<Figure[]> {
  const mixed = (sums: number[]): Gift[] => [
    ...[5, 10, 15, 20].map((percent) => ({ kind: "percent" as const, percent })),
    ...sums.map((cents) => ({ kind: "sum" as const, cents })),
    ...[100, 50, 25].map((percent) => ({ kind: "set" as const, buy: 2, get: 1, percent })),
    { kind: "delivery" },
    { kind: "delivery" },
  ];
  const same = (gift: Gift) => Array.from({ length: 12 }, () => gift);
  return [
    ...measured("12 offers of all kinds", mixed([500, 1000, 2000])),
    ...measured("12 offers, sums of several pieces", mixed([500, 3000, 12_000]), {}),
    ...measured("12 percentages", same({ kind: "percent", percent: 10 })),
    ...measured("12 sums", same({ kind: "sum", cents: 1000 })),
    ...measured("12 sets", same({ kind: "set", buy: 2, get: 1, percent: 100 })),
  ];
}

function measured(name: string, gifts: Gift[], bar: Pick<Figure, "bar"> = { bar: { max: 2 } }): Figure[] {
  const now = new Date();
  const cart = lines();
  const all = gifts.map((gift, index) => offerOf(gift, index));
  for (let run = 0; run < RUNS / 5; run++) price(cart, all, undefined, {}, now);
  const times = Array.from({ length: RUNS }, () => {
    const before = performance.now();
    price(cart, all, undefined, {}, now);
    return performance.now() - before;
  }).sort((a, b) => a - b);
  return [{ name: `200 lines, ${name}: p50`, value: round(times[RUNS / 2] ?? Number.NaN), unit: "ms", ...bar }];
}

/** 200 lines at 40 prices, of four kinds. */
function lines(): PlainLine[] {
  return Array.from({ length: 200 }, (_, index) => ({
    productId: `product-${index}`,
    size: "M",
    color: "Black",
    kinds: [KINDS[index % 4] ?? "tees"],
    priceCents: 1999 + 137 * ((index * 7) % 40),
    quantity: 1,
  }));
}

/** Each offer is about one kind; every sixth one is about everything of which two kinds are a part. */
function offerOf(gift: Gift, index: number): Offer {
  const kinds = [KINDS[index % 4] ?? "tees", ...(index % 6 === 5 ? [KINDS[(index + 1) % 4] ?? "tees"] : [])];
  return {
    id: index + 1,
    name: `Offer ${index + 1}`,
    gift,
    kinds,
    products: [],
    collections: [],
    onSaleToo: false,
    byCode: false,
    fromPieces: 0,
    fromCents: 0,
    startsAt: new Date(0),
    endsAt: null,
    paused: false,
    firstOrderOnly: false,
    oncePerShopper: false,
    customers: [],
    countries: [],
    usedUp: false,
  };
}
