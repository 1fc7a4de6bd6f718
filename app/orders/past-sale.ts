import { z } from "zod";
import { dollarsField, time } from "#app/catalog/document-fields.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { SHIPPING_FIELDS } from "#app/shipping/shipping.ts";
import type { OrderLine, RefundedPiece, ShippingDetails } from "#db/types.ts";

/** A sale of another shop, in this one's units: cents, kobo, and the rate that leads from the one to the other. */
export type PastSale = {
  userId: string;
  reference: string;
  email: string;
  shipping: ShippingDetails;
  lines: OrderLine[];
  sums: { subtotalCents: number; shippingCents: number; totalCents: number; rate: string; kobo: number };
  at: Date;
  refunds: PastRefund[];
};
export type PastRefund = { kobo: number; pieces: RefundedPiece[]; withShipping: boolean; at: Date };

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
const saleDocument = z.object({
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
type SaleDocument = z.infer<typeof saleDocument>;

const FIELDS = [...SHIPPING_FIELDS, "location", "shippingCost", "shippingRate"] as const;

/** Reads a document of the specification's collection Sales; throws a ZodError where it is no sale. */
export function readSaleDocument(given: unknown): PastSale {
  const sale = saleDocument.parse(given);
  const { customerDetails, paymentDetails } = sale;
  const lines = sale.products.map(toLine);
  const subtotalCents = lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
  const shippingCents = Math.max(0, sale.totalAmount - subtotalCents);
  const totalCents = subtotalCents + shippingCents;
  const kobo = Math.ceil(paymentDetails.amount) * 100;
  const at = paymentDetails.paymentDate ?? sale.orderDate ?? new Date();
  return {
    userId: sale.userId ?? "",
    reference: ourReference(paymentDetails.reference),
    email: customerDetails.email,
    shipping: toShipping(customerDetails),
    lines,
    sums: { subtotalCents, shippingCents, totalCents, rate: rateOf(kobo, totalCents), kobo },
    at,
    refunds: toRefunds(paymentDetails, kobo, at),
  };
}

/** What had gone back of it by then. A sale that was refunded without saying in which parts is refunded as a whole. */
function toRefunds({ status, refunds }: SaleDocument["paymentDetails"], kobo: number, at: Date): PastRefund[] {
  const done = refunds.filter((one) => one.status === "done");
  if (status === "refunded" && done.length === 0) return [{ kobo, pieces: [], withShipping: false, at }];
  return done.map(({ amount, products, shipping, date = at }) => ({
    kobo: Math.round(amount * 100),
    pieces: products.map(({ id, selectedSize = "ONE", quantity }) => ({ productId: id, size: selectedSize, quantity })),
    withShipping: shipping,
    at: date,
  }));
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
