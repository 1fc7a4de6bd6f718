import { z } from "zod";
import { dollarsField, nairaField, piecesField } from "#app/catalog/documents/fields.ts";
import { PLACEHOLDER_IMAGE } from "#app/catalog/product.ts";
import { time } from "#app/infra/document/time-field.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { centsFromDollars, dollarText, usdCents } from "#app/money/money.ts";
import { providerNamed } from "#app/providers/descriptions.ts";
import { isNigeria } from "#app/shipping/nigeria.ts";
import { localPhone, plainPhone } from "#app/shipping/phone.ts";
import { SHIPPING_FIELDS } from "#app/shipping/shipping.ts";
import { readWayText } from "#app/shipping/ways/text.ts";
import type { OrderLine, RefundedPiece, ShippingDetails } from "#db/types.ts";
import type { FulfilmentTimes } from "../fulfilment/progress.ts";

/** A sale of another shop in this shop's units: cents, kobo, and the exchange rate between them. */
export type PastSale = {
  /** The sale's id in the other shop. */
  id?: string;
  userId?: string;
  reference: string;
  /** The payment's provider, if the document names one of this shop's; else the checkout's. */
  provider: string;
  email: string;
  shipping: ShippingDetails;
  lines: PastLine[];
  sums: { subtotalCents: number; shippingCents: number; totalCents: number; rate: string; kobo: number };
  status: "completed" | "refunding" | "refunded";
  /** The other shop's status, if this shop has no such status. */
  importedStatus: string | null;
  orderedAt: Date;
  paidAt: Date;
  delivery: FulfilmentTimes & { carrier: string | null; tracking: string | null };
  refunds: PastRefund[];
  /** The sum of the refunds that were under way, in kobo. */
  refundingKobo: number;
};
/** `picture` is a URL or a file in the import's folder. */
export type PastLine = Omit<OrderLine, "image"> & { picture?: string };
export type PastRefund = { kobo: number; pieces: RefundedPiece[]; withShipping: boolean; at: Date };

const dollars = dollarsField("an amount in dollars");
const sold = time.refine((at) => at.getTime() <= Date.now(), {
  error: "lies in the future: a time without its zone is read as the server's",
});
const happened = time.nullish().transform((at) => at ?? null);
const parcelText = z
  .string()
  .max(100)
  .nullish()
  .transform((text) => text ?? null);
const text = z.union([z.string(), z.number()]).transform(String).catch("");
const line = z.object({
  id: z.string().min(1),
  title: z.string().optional(),
  name: z.string().optional(),
  color: text,
  selectedSize: z.string().optional(),
  sizes: z.string().optional(),
  price: dollars,
  quantity: piecesField(9999),
  images: z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).optional(),
});
const refund = z.object({
  amount: nairaField,
  status: text,
  products: z.array(line.pick({ id: true, selectedSize: true, quantity: true })).default([]),
  shipping: z.boolean().default(false),
  date: time.optional(),
});
/** The specification's Sale. Fields that some exports lack are optional. */
const saleDocument = z.object({
  id: z.string().max(128).optional(),
  saleId: z.string().max(128).optional(),
  userId: z.string().nullish(),
  status: text.optional(),
  customerDetails: z.object({
    name: text,
    email: z.string(), // empty for a sale at a stall
    shippingAddress: z.record(z.string(), z.unknown()).default({}),
  }),
  products: z.array(line).min(1),
  paymentDetails: z
    .object({
      reference: z.string().min(1).max(60),
      amount: nairaField,
      paymentDate: sold.optional(),
      status: text,
      paymentMethod: text,
      refunds: z.array(refund).default([]),
    })
    .refine(({ amount, refunds }) => refunds.reduce((sum, one) => sum + one.amount, 0) <= Math.ceil(amount), {
      path: ["refunds"],
      error: "more has gone back than was paid",
    }),
  delivery: z
    .object({
      packedAt: happened,
      sentAt: happened,
      readyAt: happened,
      deliveredAt: happened,
      returnedAt: happened,
      carrier: parcelText,
      tracking: parcelText,
    })
    .prefault({}),
  orderDate: sold.optional(),
  totalAmount: dollarsField("an amount in dollars", 1),
  subtotal: dollars.optional(),
  shippingCost: dollars.optional(),
});
type SaleDocument = z.infer<typeof saleDocument>;

const FIELDS = [...SHIPPING_FIELDS, "location"] as const;

/** Reads a document of the specification's collection Sales. Throws a ZodError if it is invalid. */
export function readSaleDocument(given: unknown): PastSale {
  const sale = saleDocument.parse(given);
  const { customerDetails, paymentDetails } = sale;
  const statuses = statusesOf(paymentDetails.status || sale.status || "");
  const lines = sale.products.map(toLine);
  const subtotalCents = lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
  const shippingCents = Math.max(0, sale.totalAmount - subtotalCents);
  const totalCents = subtotalCents + shippingCents;
  const kobo = Math.ceil(paymentDetails.amount) * 100;
  const paidAt = paymentDetails.paymentDate ?? sale.orderDate ?? new Date();
  return {
    id: sale.id || sale.saleId || undefined,
    userId: sale.userId || undefined,
    reference: ourReference(paymentDetails.reference),
    provider: providerNamed(paymentDetails.paymentMethod).id,
    email: customerDetails.email,
    shipping: toShipping(customerDetails, shippingCents),
    lines,
    sums: { subtotalCents, shippingCents, totalCents, rate: rateOf(kobo, totalCents), kobo },
    ...statuses,
    orderedAt: sale.orderDate ?? paidAt,
    paidAt,
    delivery: toDelivery(sale.delivery),
    ...toRefunds(paymentDetails.refunds, statuses.status, kobo, paidAt),
  };
}

function toDelivery({ sentAt: fulfilledAt, ...rest }: SaleDocument["delivery"]): PastSale["delivery"] {
  return { ...rest, fulfilledAt };
}

/** The status that the specification shows for an order without one. */
const WITHOUT_STATUS = "Processing";

/** Keeps this shop's own statuses. Any other status counts as "completed" and is kept as text. */
function statusesOf(given: string): Pick<PastSale, "status" | "importedStatus"> {
  const status = given.trim();
  if (/^completed$/i.test(status)) return { status: "completed", importedStatus: null };
  if (/^(refunded|reversed)$/i.test(status)) return { status: "refunded", importedStatus: null };
  if (/^refunding$/i.test(status)) return { status: "refunding", importedStatus: null };
  return { status: "completed", importedStatus: status.slice(0, 60) || WITHOUT_STATUS };
}

/**
 * The sale's past refunds. A sale with the status "refunded" counts as refunded in full, even if its listed refunds are
 * less.
 */
function toRefunds(
  refunds: SaleDocument["paymentDetails"]["refunds"],
  status: PastSale["status"],
  kobo: number,
  paidAt: Date,
): Pick<PastSale, "refunds" | "refundingKobo"> {
  const [done, underWay] = [refunds.filter(isDone), refunds.filter((one) => !isDone(one))];
  const refundingKobo = underWay.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  const past = done.map(({ amount, products, shipping, date = paidAt }) => ({
    kobo: Math.round(amount * 100),
    pieces: products.map(({ id, selectedSize = "ONE", quantity }) => ({ productId: id, size: selectedSize, quantity })),
    withShipping: shipping,
    at: date,
  }));
  if (status !== "refunded") return { refunds: past, refundingKobo };
  const rest = past.reduce((left, one) => left - one.kobo, kobo);
  const unlisted = rest > 0 ? [{ kobo: rest, pieces: [], withShipping: false, at: paidAt }] : [];
  return { refunds: [...past, ...unlisted], refundingKobo: 0 };
}

const isDone = ({ status }: { status: string }) => status === "done";

function toLine({
  id,
  title,
  name,
  color,
  selectedSize,
  sizes,
  price,
  quantity,
  images,
}: SaleDocument["products"][number]): PastLine {
  return {
    productId: id,
    title: title ?? name ?? id,
    color,
    size: selectedSize ?? sizes ?? "ONE",
    quantity,
    priceCents: price,
    picture: images && images !== PLACEHOLDER_IMAGE ? images : undefined,
  };
}

function toShipping(
  { name, email, shippingAddress }: SaleDocument["customerDetails"],
  shippingCents: number,
): ShippingDetails {
  const [first = "", ...rest] = name.split(" ");
  const given = Object.fromEntries(FIELDS.map((field) => [field, String(shippingAddress[field] ?? "")]));
  const { country = "", phoneNumber = "" } = given;
  const isHere = isNigeria(country) || (country === "" && /^(?:0|\+?234)/.test(plainPhone(phoneNumber)));
  const cost = usdCents(shippingCents);
  const deliveryWay = readWayText(String(shippingAddress.deliveryWay ?? ""));
  return {
    ...given,
    phoneNumber: isHere ? localPhone(phoneNumber) : phoneNumber, // an offer for first orders compares it
    email,
    firstName: given.firstName || first,
    lastName: given.lastName || rest.join(" "),
    shippingCost: dollarText(cost),
    shippingRate: dollarText(centsFromDollars(String(shippingAddress.shippingRate ?? "")) ?? cost),
    ...(deliveryWay && { deliveryWay }),
  } as ShippingDetails;
}

/**
 * The exchange rate that turns the total into the charged sum. It is rounded down, because the charge is rounded up.
 */
function rateOf(kobo: number, totalCents: number): string {
  return rateText(((BigInt(kobo) * 1_000_000n) / BigInt(totalCents)) as Parameters<typeof rateText>[0]);
}

/** Rewrites a reference that is too short for this shop or has other characters than its own. */
function ourReference(given: string): string {
  if (/^[A-Za-z0-9.=-]{16,64}$/.test(given)) return given;
  return `moved-in-${given.replaceAll(/[^A-Za-z0-9.=-]/g, ".").slice(0, 50)}`.padEnd(16, ".");
}
