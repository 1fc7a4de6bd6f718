import { namesOfKinds } from "#app/catalog/product.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { contentsOf, receiptNumber } from "#app/orders/receipts/receipt.ts";
import { isNigeria } from "#app/shipping/nigeria.ts";
import { ordersToPrint } from "../print.server.ts";
import { type Declaration, type Declared, type DeclaredProduct, declarationOf } from "./declaration.ts";

type Printed = Awaited<ReturnType<typeof ordersToPrint>>[number];
type Declaring = Omit<Printed, "lines"> & { declaration: Declaration; receipt?: string };

/**
 * The customs declarations of orders, in the order of `numbers`. `whyNot` says of an order why it gets none: it stays
 * in Nigeria, or must not be sent.
 */
export async function declarations(on: Db, numbers: string[]): Promise<Declaring[]> {
  const printed = await ordersToPrint(on, numbers);
  if (printed.length === 0) return [];
  const [paid, products] = await Promise.all([pricesOf(on, numbers), productsOf(on, printed)]);
  return printed.map(({ lines, ...order }) => {
    const { receipt, priceOf } = paid.get(order.number) ?? {};
    const alike = Map.groupBy(lines, ({ productId }) => productId);
    const pieces = [...alike.values()].flatMap((some): Declared[] => {
      const [first] = some;
      if (!first) return [];
      const prices = some.map((line) => ({ quantity: line.quantity, ...(priceOf?.(line) ?? { kobo: 0, cents: 0 }) }));
      const sum = (what: "kobo" | "cents") =>
        prices.reduce((all, one) => all + Math.round(one[what] * one.quantity), 0);
      const quantity = prices.reduce((all, one) => all + one.quantity, 0);
      return [{ productId: first.productId, title: first.title, quantity, kobo: sum("kobo"), cents: sum("cents") }];
    });
    const whyNot = order.whyNot ?? (isNigeria(order.shipping.country) ? "It stays in Nigeria" : undefined);
    return { ...order, whyNot, receipt, declaration: declarationOf(pieces, products) };
  });
}

type Priced = { productId: string; size: string };

/** What was paid for one piece of each size in each order, and the receipt's number. */
async function pricesOf(on: Db, numbers: string[]) {
  const rows = await on
    .selectFrom("orders")
    .innerJoin("sales", "sales.orderId", "orders.id")
    .leftJoin("receipts", "receipts.saleId", "sales.id")
    .select(["orders.number", "orders.lines", "sales.kobo", "sales.rate", "sales.subtotalCents", "sales.shippingCents"])
    .select(["receipts.year", "receipts.number as receiptNumber"])
    .where("orders.number", "in", numbers)
    .execute();
  return new Map(
    rows.map(({ number, lines, kobo, rate, year, receiptNumber: count, ...sums }) => {
      const sale = { ...sums, kobo: Number(kobo), rate: parseRate(rate) ?? FALLBACK_RATE, isAbroad: true };
      const shares = contentsOf(
        sale,
        lines.map(({ priceCents, ...line }) => ({ ...line, cents: priceCents })),
      ).lines;
      const priceOf = ({ productId, size }: Priced) => {
        const same = lines.flatMap((line, at) =>
          line.productId === productId && line.size === size
            ? [{ quantity: line.quantity, kobo: shares[at]?.kobo ?? 0, cents: line.priceCents * line.quantity }]
            : [],
        );
        const all = (what: "quantity" | "kobo" | "cents") => same.reduce((sum, one) => sum + one[what], 0);
        const quantity = all("quantity") || 1;
        return { kobo: all("kobo") / quantity, cents: all("cents") / quantity };
      };
      const receipt = year !== null && count !== null ? receiptNumber(year, count) : undefined;
      return [number, { receipt, priceOf }] as const;
    }),
  );
}

async function productsOf(on: Db, orders: Printed[]): Promise<Map<string, DeclaredProduct>> {
  const ids = [...new Set(orders.flatMap(({ lines }) => lines.map(({ productId }) => productId)))];
  if (ids.length === 0) return new Map();
  const rows = await on.selectFrom("products").select(["id", "kinds", "details"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, kinds, details }) => [id, { kinds: namesOfKinds(knownKinds(), kinds), details }]));
}
