import { sql } from "kysely";
import { z } from "zod";
import { dollarsField, time } from "#app/catalog/document-fields.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { SHIPPING_FIELDS } from "#app/shipping/shipping.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { moveOrder } from "./lifecycle.server.ts";
import { balanceOf } from "./refund-rows.server.ts";

const dollars = dollarsField("amount in dollars");
const text = z.union([z.string(), z.number()]).transform(String).catch("");
const line = z.object({
  id: z.string().min(1),
  title: z.string().optional(),
  name: z.string().optional(),
  color: text,
  selectedSize: z.string().optional(),
  sizes: z.string().optional(),
  price: dollars,
  quantity: z.coerce.number().int().min(1).max(9999),
});
const refund = z.object({
  amount: z.coerce.number().positive(),
  status: text,
  products: z.array(line.pick({ id: true, selectedSize: true, quantity: true })).default([]),
  shipping: z.boolean().default(false),
  date: time.optional(),
});
/** The specification's Sale. What it does not have in every export is optional. */
const document = z.object({
  userId: z.string().nullish(),
  customerDetails: z.object({
    name: text,
    email: z.string().min(1),
    shippingAddress: z.record(z.string(), z.unknown()).default({}),
  }),
  products: z.array(line).min(1),
  paymentDetails: z.object({
    reference: z.string().min(1).max(60),
    amount: z.coerce.number().positive(),
    paymentDate: time.optional(),
    status: text,
    refunds: z.array(refund).default([]),
  }),
  orderDate: time.optional(),
  totalAmount: dollars,
  subtotal: dollars.optional(),
  shippingCost: dollars.optional(),
});
export type SaleDocument = z.infer<typeof document>;

/** Throws a ZodError where the document is no sale. */
export function readSaleDocument(given: unknown): SaleDocument {
  return document.parse(given);
}

const FIELDS = [...SHIPPING_FIELDS, "location", "shippingCost", "shippingRate"] as const;

/**
 * Writes a sale of the past: sold and paid, its units counted as once supplied, so that the shelf stays as it is. False: a sale with this
 * reference is there already.
 */
export async function importSale(trx: Transaction, sale: SaleDocument): Promise<boolean> {
  const { customerDetails, paymentDetails } = sale;
  const reference = ourReference(paymentDetails.reference);
  const known = await trx
    .selectFrom("payments")
    .select("reference")
    .where("reference", "=", reference)
    .executeTakeFirst();
  if (known) return false;
  const lines = sale.products.map(toLine);
  const subtotalCents = lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
  const shippingCents = Math.max(0, sale.totalAmount - subtotalCents);
  const totalCents = subtotalCents + shippingCents;
  const kobo = Math.ceil(paymentDetails.amount) * 100;
  const at = paymentDetails.paymentDate ?? sale.orderDate ?? new Date();
  const shipping = toShipping(customerDetails);
  const user = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", sale.userId ?? "")
    .executeTakeFirst();
  const sums = { subtotalCents, shippingCents, totalCents, rate: rateOf(kobo, totalCents), kobo: String(kobo) };
  const whose = { userId: user?.id ?? null, email: customerDetails.email, shipping: JSON.stringify(shipping) };
  const { id: orderId } = await trx
    .insertInto("orders")
    .values({
      ...whose,
      ...sums,
      state: "sold",
      cartVersion: "0",
      lines: JSON.stringify(lines),
      rateAt: at,
      expiresAt: at,
      createdAt: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("payments")
    .values({
      reference,
      orderId,
      state: "paid",
      kobo: sums.kobo,
      providerStatus: "success",
      paidKobo: sums.kobo,
      paidCurrency: "NGN",
      paidAt: at,
      createdAt: at,
    })
    .execute();
  const { id: saleId } = await trx
    .insertInto("sales")
    .values({ ...whose, ...sums, orderId, reference, createdAt: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const [position, one] of lines.entries()) {
    const { image: _, ...row } = one;
    await trx
      .insertInto("saleLines")
      .values({ ...row, saleId, position, image: null })
      .execute();
    await sql`
      update product_sizes set supplied = supplied + ${one.quantity}, sold = sold + ${one.quantity}
      where product_id = ${one.productId} and size = ${one.size}`.execute(trx);
  }
  await noteMailed(trx, `sale:${saleId}`, at);
  await importRefunds(trx, sale, { reference, saleId, orderId, kobo, at });
  return true;
}

/** What had gone back of it by then. A sale that was refunded without saying in which parts is refunded as a whole. */
async function importRefunds(
  trx: Transaction,
  { paymentDetails: { status, refunds } }: SaleDocument,
  {
    reference,
    saleId,
    orderId,
    kobo,
    at,
  }: { reference: string; saleId: string; orderId: string; kobo: number; at: Date },
): Promise<void> {
  const whole = { amount: kobo / 100, status: "done", products: [], shipping: false, date: undefined };
  const done = refunds.filter((one) => one.status === "done");
  for (const { amount, products, shipping, date = at } of status === "refunded" && done.length === 0 ? [whole] : done) {
    const pieces = products.map(({ id, selectedSize = "ONE", quantity }) => ({
      productId: id,
      size: selectedSize,
      quantity,
    }));
    const { id } = await trx
      .insertInto("refunds")
      .values({
        reference,
        kobo: Math.round(amount * 100),
        reason: "returned",
        state: "done",
        pieces: JSON.stringify(pieces),
        withShipping: shipping,
        createdAt: date,
        updatedAt: date,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    for (const key of [`refund:${id}`, `refund-done:${id}`]) await noteMailed(trx, key, at);
  }
  const { refunded } = await balanceOf(trx, reference);
  if (refunded < kobo) return;
  await trx.updateTable("sales").set({ status: "refunded" }).where("id", "=", saleId).execute();
  await moveOrder(trx, orderId, "refunded");
}

/** The mail of it went out long ago, from the old shop. */
async function noteMailed(trx: Transaction, key: string, at: Date): Promise<void> {
  await trx
    .insertInto("outbox")
    .values({
      idempotencyKey: key,
      recipient: "moved in",
      kind: "moved-in",
      data: "{}",
      messageId: `moved-in:${key}`,
      state: "sent",
      sentAt: at,
    })
    .execute();
}

function toLine({
  id,
  title,
  name,
  color,
  selectedSize,
  sizes,
  price,
  quantity,
}: SaleDocument["products"][number]): OrderLine {
  return {
    productId: id,
    title: title ?? name ?? id,
    color,
    size: selectedSize ?? sizes ?? "ONE",
    quantity,
    priceCents: price,
    image: null,
  };
}

function toShipping({ name, email, shippingAddress }: SaleDocument["customerDetails"]): ShippingDetails {
  const [first = "", ...rest] = name.split(" ");
  const given = Object.fromEntries(FIELDS.map((field) => [field, String(shippingAddress[field] ?? "")]));
  return {
    ...given,
    email,
    firstName: given.firstName || first,
    lastName: given.lastName || rest.join(" "),
  } as ShippingDetails;
}

/** The rate that leads from the total to the sum that was charged; rounded down, so that rounding the charge up ends at that sum. */
function rateOf(kobo: number, totalCents: number): string {
  return rateText(((BigInt(kobo) * 1_000_000n) / BigInt(totalCents)) as Parameters<typeof rateText>[0]);
}

/** References of old shops may be shorter than ours, or hold other letters. */
function ourReference(given: string): string {
  if (/^[A-Za-z0-9.=-]{16,64}$/.test(given)) return given;
  return `moved-in-${given.replaceAll(/[^A-Za-z0-9.=-]/g, ".").slice(0, 50)}`.padEnd(16, ".");
}
