import { z } from "zod";
import { MEANS, readBankReference } from "#app/by-hand/means.ts";
import { db, type Transaction } from "#app/infra/database/db.server.ts";
import { LINES_FORM } from "#app/infra/http/form-reader.server.ts";
import { koboFromNaira } from "#app/money/money.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { CANCEL_CAUSES, type CancelCause, REFUND_CAUSES } from "#app/orders/refund-causes.ts";
import { readChange } from "#app/orders/size-change/plan.ts";
import { changeAddress } from "#app/owner/orders/address.server.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { markDelivered, markPacked, markReady, markReturned, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { resolveIssues } from "#app/owner/orders/issues.server.ts";
import { makeHandoverLink } from "#app/owner/orders/links/handover.server.ts";
import { isSameOrder, referenceOf } from "#app/owner/orders/lookup.server.ts";
import { ORDER_MAIL_KINDS } from "#app/owner/orders/mail-kinds.ts";
import { resendOrderMail } from "#app/owner/orders/mails.server.ts";
import { addNote } from "#app/owner/orders/notes.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { parcelLabel } from "#app/owner/orders/parcels/label.ts";
import { addParcelPicture, removeParcelPicture } from "#app/owner/orders/parcels/pictures.server.ts";
import { refundAgreed, retryFailed } from "#app/owner/orders/refunds/refunds.server.ts";
import { changeSaleSize } from "#app/owner/orders/sizes/sizes.server.ts";
import { takeBack } from "#app/owner/orders/take-back.server.ts";
import { changeOrderTags } from "#app/owner/tags/change.server.ts";
import { giveByHand } from "#app/payments/by-hand/give.server.ts";
import { takeByHand } from "#app/payments/by-hand/take.server.ts";
import { cancelOrder } from "#app/payments/refunds/cancel.server.ts";
import { SHIPPING_FIELDS } from "#app/shipping/shipping.ts";
import type { Permission } from "#app/staff/roles.ts";
import { besideField, change, PLAIN } from "../http/changes.server.ts";
import { MB, MOST_POSTED } from "../http/form.server.ts";
import { noteChange } from "../notes/changes.server.ts";
import { tagChanges } from "../tags/changes.server.ts";
import { unitsField } from "./units-field.ts";

// The changes that staff can make to an order. Each uses the same function as the command of the same name.

type Work<Fields> = (trx: Transaction, reference: string, fields: Fields) => Promise<Done>;

/** A change of an order. It is refused if other members have changed the order since the act `seen`. */
function ofOrder<Fields extends z.infer<typeof PLAIN>>(
  needs: Permission,
  command: string,
  fields: z.ZodType<Fields>,
  work: Work<Fields>,
) {
  return change({
    needs,
    size: LINES_FORM,
    fields,
    run: async ({ by, fields, params }) => {
      const reference = await orderOf(params);
      const inTransaction = changeOrder(db(), by, command, reference, fields.seen);
      return besideField(await inTransaction((trx) => work(trx, reference, fields)));
    },
  });
}

/** The reference of the order with the number in the URL. Throws a 404 response if there is none. */
async function orderOf({ number = "" }: { number?: string }): Promise<string> {
  const reference = await referenceOf(db(), readOrderNumber(number) ?? "");
  if (!reference) throw new Response(null, { status: 404 });
  return reference;
}

/** The message to the shopper about a refund. */
const words = z
  .string()
  .trim()
  .max(500, "At most 500 characters")
  .optional()
  .transform((text) => text || undefined);

/** A sum in naira as people type it, in kobo. */
const naira = z.string().transform((text, context) => {
  const sum = koboFromNaira(text);
  if (sum) return sum;
  context.addIssue({ code: "custom", message: "Write an amount in naira, like 1,500" });
  return z.NEVER;
});

/** The bank's reference of a transfer, or of a terminal's receipt. */
export const bankReference = z
  .string()
  .default("")
  .transform((text, context) => {
    if (text.trim() === "") return;
    const read = readBankReference(text);
    if (read) return read;
    context.addIssue({ code: "custom", message: "Write it as your bank shows it: at least 4 letters or digits" });
    return z.NEVER;
  });

/** The largest photograph of a parcel, as of a return. A larger form is read all the same, to say so. */
const LARGEST_PHOTO = 8 * MB;
const photo = z
  .instanceof(File, { error: "Choose a photo" })
  .refine(({ size }) => size > 0, "Choose a photo")
  .refine(({ size }) => size <= LARGEST_PHOTO, "A photo can be up to 8 MB. Choose a smaller one");

export const ORDER_CHANGES = {
  pack: ofOrder("packing", "orders pack", PLAIN, markPacked),
  send: ofOrder("packing", "orders fulfil", PLAIN.extend({ carrier: parcelLabel, tracking: parcelLabel }), markSent),
  ready: ofOrder("packing", "orders ready", PLAIN, markReady),
  deliver: ofOrder(
    "packing",
    "orders deliver",
    PLAIN.extend({ day: z.string().trim().optional() }),
    (trx, reference, { day }) => markDelivered(trx, reference, day || undefined),
  ),
  "take-back": change({
    needs: "packing",
    fields: z.object({ act: z.string().regex(/^\d{1,18}$/) }),
    run: async ({ by, fields: { act }, params: { number = "" } }) => {
      return takeBack(db(), by, { act, number: readOrderNumber(number) ?? "", reference: await orderOf({ number }) });
    },
  }),
  handover: change({
    needs: "packing",
    fields: z.object({}),
    run: async ({ by, params }) => makeHandoverLink(db(), by, await orderOf(params)),
  }),
  size: ofOrder(
    "packing",
    "orders change-size",
    PLAIN.extend({
      change: z.string().default(""),
      quantity: z.string().optional(),
      changes: z.coerce.number().int().nonnegative(),
    }),
    async (trx, reference, { change: choice, quantity, changes }) => {
      const change = readChange(choice, quantity);
      if (!change) return { ok: false, problem: "Choose a size", field: "change" };
      return changeSaleSize(trx, reference, change, { seen: changes });
    },
  ),
  photo: change({
    needs: "packing",
    size: { fields: 8, bytes: MOST_POSTED },
    fields: z.object({ picture: photo }),
    run: async ({ by, fields: { picture }, params, request: { signal } }) => {
      const given = Buffer.from(await picture.arrayBuffer());
      return besideField(await addParcelPicture(db(), by, await orderOf(params), given, signal));
    },
  }),
  "remove-photo": ofOrder(
    "packing",
    "orders remove-photo",
    PLAIN.extend({ picture: z.guid() }),
    (trx, reference, { picture }) => removeParcelPicture(trx, reference, picture),
  ),
  return: ofOrder("service", "orders return", PLAIN, markReturned),
  cancel: change({
    needs: "refunds",
    fields: PLAIN.extend({
      cause: z.enum(Object.keys(CANCEL_CAUSES) as CancelCause[], "Choose a reason"),
      words,
    }).refine(({ cause, words }) => CANCEL_CAUSES[cause] !== "" || words !== undefined, {
      path: ["words"],
      message: "Write the reason. The shopper reads it",
    }),
    run: async ({ by, fields: { seen, cause, words }, params }) => {
      const reference = await orderOf(params);
      const told = [CANCEL_CAUSES[cause], words].filter(Boolean).join(" ");
      const inTransaction = changeOrder(db(), by, "orders cancel", reference, seen);
      return cancelOrder(db(), reference, inTransaction, { cause, words: told });
    },
  }),
  refund: ofOrder(
    "refunds",
    "orders refund",
    PLAIN.extend({
      pieces: z.array(unitsField).default([]),
      shipping: z.literal("on").optional(),
      restock: z.literal("on").optional(),
      kobo: z.coerce.number().int().positive("Choose what to refund"),
      key: z.uuid(),
      cause: z.enum(REFUND_CAUSES, "Choose a reason"),
      words,
    }),
    (trx, reference, { pieces, shipping, restock, kobo, key, cause, words }) => {
      const wish = { pieces, withShipping: shipping === "on", restock: restock === "on" && pieces.length > 0 };
      return refundAgreed(trx, reference, wish, kobo, { cause, words, idempotencyKey: key });
    },
  ),
  give: ofOrder(
    "refunds",
    "orders refund",
    PLAIN.extend({ naira, key: z.uuid(), cause: z.enum(REFUND_CAUSES, "Choose a reason"), words }),
    (trx, reference, { naira: kobo, key, cause, words }) =>
      refundAgreed(trx, reference, { kobo }, kobo, { cause, words, idempotencyKey: key }),
  ),
  paid: change({
    needs: "till",
    fields: PLAIN.extend({ means: z.enum(MEANS, "Choose how it was paid"), naira, bankReference, key: z.uuid() }),
    run: async ({ by, fields: { seen, naira: kobo, key: formKey, ...taken }, params }) => {
      const reference = await orderOf(params);
      const inTransaction = changeOrder(db(), by, "orders paid", reference, seen);
      return besideField(await takeByHand(db(), reference, { ...taken, kobo, by: by.name, formKey }, inTransaction));
    },
  }),
  given: change({
    needs: "till",
    fields: PLAIN.extend({ kobo: z.coerce.number().int().positive(), bankReference }),
    run: async ({ by, fields: { seen, kobo: agreedKobo, bankReference }, params }) => {
      const reference = await orderOf(params);
      const inTransaction = changeOrder(db(), by, "orders given", reference, seen);
      return giveByHand(db(), reference, { agreedKobo, bankReference, by: by.name }, inTransaction);
    },
  }),
  retry: ofOrder("refunds", "orders refund", PLAIN, retryFailed),
  resolve: change({
    needs: "service",
    fields: PLAIN.extend({ about: z.string() }),
    run: async ({ by, fields: { about, seen }, params }) => {
      if (await isSameOrder(db(), await orderOf(params), about)) return resolveIssues(db(), by, about, seen);
      return { ok: false, problem: "That’s about another order" };
    },
  }),
  address: change({
    needs: "service",
    fields: PLAIN.and(
      z.object(Object.fromEntries([...SHIPPING_FIELDS, "landmarkStays"].map((name) => [name, z.string().default("")]))),
    ),
    run: async ({ by, fields: { seen, ...form }, params }) => {
      const done = await changeAddress(db(), by, await orderOf(params), new URLSearchParams(form), seen);
      return "errors" in done ? { ok: false, problems: { ...done.errors } } : done;
    },
  }),
  resend: change({
    needs: "service",
    fields: PLAIN.extend({ kind: z.enum(ORDER_MAIL_KINDS, "Choose an email"), key: z.uuid() }),
    run: async ({ by, fields, params }) => resendOrderMail(db(), by, await orderOf(params), fields),
  }),
  note: noteChange("service", async (by, params, note) => addNote(db(), by, await orderOf(params), note)),
  ...tagChanges("order", async (by, params, change) => changeOrderTags(db(), by, await orderOf(params), change)),
};
