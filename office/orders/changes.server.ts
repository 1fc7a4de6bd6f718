import { z } from "zod";
import type { Actor } from "#app/infra/audit.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { printable } from "#app/infra/terminal-text.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { REFUND_CAUSES } from "#app/orders/refund-causes.ts";
import { changeOrder } from "#app/owner/change-order.server.ts";
import { markDelivered, markPacked, markReady, markReturned, markSent } from "#app/owner/fulfilment.server.ts";
import { isSameOrder, referenceOf } from "#app/owner/known-order.server.ts";
import { changeAddress } from "#app/owner/orders/address.server.ts";
import { resolveIssues } from "#app/owner/orders/issues.server.ts";
import { ORDER_MAIL_KINDS } from "#app/owner/orders/mail-kinds.ts";
import { resendMail } from "#app/owner/orders/mails.server.ts";
import { addNote } from "#app/owner/orders/notes.server.ts";
import { cancelOrder, type Done, type InTransaction } from "#app/owner/orders.server.ts";
import { refundAgreed, retryFailed } from "#app/owner/refunds.server.ts";
import { SHIPPING_FIELDS } from "#app/shipping/shipping.ts";
import { change } from "../http/changes.server.ts";
import { unitsField } from "./units-field.ts";

// What can be done with one order, each by the function that the command of the same name calls.

const seen = z.string().regex(/^\d{1,18}$/);
const label = z
  .string()
  .trim()
  .max(100, "At most 100 letters")
  .refine((text) => printable(text) === text && !text.includes("\n"), "Letters and numbers alone")
  .transform((text) => text || undefined)
  .optional();
type Given<Fields> = { by: Actor; fields: Fields; params: { number?: string } };

/** A change that was meant for the order as it was `seen`. */
function ofOrder<Shape extends z.ZodRawShape>(
  needs: "orders" | "refunds",
  command: string,
  shape: Shape,
  work: (reference: string, fields: z.infer<z.ZodObject<Shape>>, inTransaction: InTransaction) => Promise<Done>,
) {
  const schema = z.object({ ...shape, seen: seen.optional() });
  return change({
    needs,
    fields: schema,
    run: async ({ by, fields, params }: Given<z.infer<typeof schema>>) => {
      const reference = await orderOf(params);
      const given = fields as z.infer<z.ZodObject<Shape>> & { seen?: string };
      const done = await work(reference, given, changeOrder(db(), by, command, reference, given.seen));
      return !done.ok && done.field ? { ok: false, problems: { [done.field]: done.problem } } : done;
    },
  });
}

/** The reference of the order that an address names; ends with 404 where there is none. */
async function orderOf({ number = "" }: { number?: string }): Promise<string> {
  const reference = await referenceOf(db(), readOrderNumber(number) ?? "");
  if (!reference) throw new Response(null, { status: 404 });
  return reference;
}

export const ORDER_CHANGES = {
  pack: ofOrder("orders", "orders pack", {}, (reference, _, within) => within((trx) => markPacked(trx, reference))),
  send: ofOrder("orders", "orders fulfil", { carrier: label, tracking: label }, (reference, parcel, within) =>
    within((trx) => markSent(trx, reference, parcel)),
  ),
  ready: ofOrder("orders", "orders ready", {}, (reference, _, within) => within((trx) => markReady(trx, reference))),
  deliver: ofOrder("orders", "orders deliver", { day: z.string().trim().optional() }, (reference, { day }, within) =>
    within((trx) => markDelivered(trx, reference, day || undefined)),
  ),
  return: ofOrder("orders", "orders return", {}, (reference, _, within) =>
    within((trx) => markReturned(trx, reference)),
  ),
  cancel: ofOrder("refunds", "orders cancel", {}, (reference, _, within) => cancelOrder(db(), reference, within)),
  refund: ofOrder(
    "refunds",
    "orders refund",
    {
      pieces: z.array(unitsField).default([]),
      shipping: z.literal("on").optional(),
      restock: z.literal("on").optional(),
      kobo: z.coerce.number().int().positive("Choose what goes back"),
      key: z.uuid(),
      cause: z.enum(REFUND_CAUSES, "Choose a reason"),
      words: z.string().trim().max(500, "At most 500 letters").optional(),
    },
    (reference, { pieces, shipping, restock, kobo, key, cause, words }, within) =>
      within((trx) => {
        const wish = { pieces, withShipping: shipping === "on", restock: restock === "on" && pieces.length > 0 };
        return refundAgreed(trx, reference, wish, kobo, { cause, words: words || undefined, idempotencyKey: key });
      }),
  ),
  retry: ofOrder("refunds", "orders refund", {}, (reference, _, within) =>
    within((trx) => retryFailed(trx, reference)),
  ),
  resolve: change({
    needs: "orders",
    fields: z.object({ about: z.string(), seen: seen.optional() }),
    run: async ({ by, fields: { about, seen }, params }) => {
      if (await isSameOrder(db(), await orderOf(params), about)) return resolveIssues(db(), by, about, seen);
      return { ok: false, problem: "That is about another order" };
    },
  }),
  address: change({
    needs: "orders",
    fields: z.object({
      ...Object.fromEntries(SHIPPING_FIELDS.map((name) => [name, z.string().default("")])),
      seen: seen.optional(),
    }),
    run: async ({ by, fields, params }) => {
      const { seen, ...form } = fields as Record<string, string>;
      const done = await changeAddress(db(), by, await orderOf(params), new URLSearchParams(form), seen);
      return "errors" in done ? { ok: false, problems: { ...done.errors } } : done;
    },
  }),
  resend: change({
    needs: "orders",
    fields: z.object({ kind: z.enum(ORDER_MAIL_KINDS, "Choose a mail"), key: z.uuid(), seen: seen.optional() }),
    run: async ({ by, fields, params }) => resendMail(db(), by, await orderOf(params), fields),
  }),
  note: change({
    needs: "orders",
    fields: z.object({
      id: z.uuid(),
      text: z.string().trim().min(1, "Write something").max(2000, "At most 2,000 letters"),
    }),
    run: async ({ by, fields, params }) => addNote(db(), by, await orderOf(params), fields),
  }),
};
