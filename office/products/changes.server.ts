import { redirect } from "react-router";
import { z } from "zod";
import { detailField } from "#app/catalog/documents/fields.ts";
import { kindsField } from "#app/catalog/kind-field.server.ts";
import { DETAILS, eachDetail, eachFlag, filledDetails, MOST_LETTERS } from "#app/catalog/product-fields.ts";
import { isMixed, MOST_IN_STOCK, ONE_SIZE, SIZES } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { readStorableJson } from "#app/infra/text/storable-text.ts";
import { centsFromDollars, usdCents } from "#app/money/money.ts";
import { readWhole } from "#app/money/typed-number.ts";
import { addProduct, copyProduct } from "#app/owner/catalog/product-add.server.ts";
import type { EditDone, ProductEdit } from "#app/owner/catalog/product-edit.server.ts";
import { deleteProduct, saveProduct } from "#app/owner/catalog/product-save.server.ts";
import { momentOf } from "#app/owner/shop-time.server.ts";
import { change, type Outcome } from "../http/changes.server.ts";

const DEAREST = usdCents(100_000_00);
const MOST_PICTURES = 20;

const text = (most: number) => z.string().trim().max(most, `At most ${most} letters`).default("");
const seen = z.string().regex(/^\d{1,18}$/);
const size = z.enum([...SIZES, ONE_SIZE]);
const price = z.string().transform((typed, context) => {
  const cents = centsFromDollars(typed);
  if (cents !== undefined && cents > 0 && cents <= DEAREST) return cents;
  context.addIssue(cents === undefined ? "A price in dollars, like 49.99" : "Between $0.01 and $100,000");
  return z.NEVER;
});

/** A form field with JSON. */
function json<Value>(schema: z.ZodType<Value>, what: string) {
  return z
    .string()
    .transform((given, context): unknown => {
      const read = readStorableJson(given);
      if (read !== undefined) return read;
      context.addIssue(what);
      return z.NEVER;
    })
    .pipe(schema);
}

const picture = z.object({
  hash: z.string().regex(/^[0-9a-f]{20}$/),
  alt: text(300),
  focus: z
    .string()
    .regex(/^(100|\d\d?)% (100|\d\d?)%$/)
    .optional(),
});
const units = z
  .union([z.string().transform(readWhole), z.number()])
  .pipe(z.int("A whole number").min(0, "Not below 0").max(MOST_IN_STOCK, "Too many"));

const fields = z
  .object({
    title: z.string().trim().min(1, "Give it a title").max(200, "At most 200 characters"),
    color: text(100),
    description: text(5000),
    price,
    agreed: z.string().optional(),
    kinds: kindsField.default([]),
    ...eachFlag(() => z.literal("on").optional()),
    ...eachDetail((name) => detailField(DETAILS[name], `At most ${MOST_LETTERS} letters`).default("")),
    images: json(
      z.array(picture).max(MOST_PICTURES, `At most ${MOST_PICTURES} pictures`),
      "The pictures can’t be read",
    ),
    sizes: z.array(size, "Choose a size").min(1, "Choose a size"),
    pieces: json(z.partialRecord(size, units), "The numbers of pieces can’t be read"),
    state: z.enum(["draft", "published", "at"]),
    at: z.string().default(""),
  })
  .refine(({ sizes }) => !isMixed(sizes), {
    path: ["sizes"],
    error: "One size, or those from S to XXL",
  });
type Fields = z.infer<typeof fields>;

/** The edit of a posted form. Undefined if the time of publication is invalid or in the past. */
function editOf({
  price,
  kinds,
  images,
  sizes,
  pieces,
  state,
  at,
  title,
  color,
  description,
  ...rest
}: Fields): ProductEdit | undefined {
  const moment = momentOf(at);
  if (state === "at" && (!moment || moment <= new Date())) return;
  return {
    title,
    color,
    description,
    priceCents: price,
    kinds,
    ...eachFlag((name) => rest[name] === "on"),
    details: filledDetails(eachDetail((name) => rest[name])),
    images,
    sizes,
    pieces,
    shown: state === "at" && moment ? moment : state === "published" ? "published" : "draft",
  };
}

const NO_TIME = { ok: false, problems: { at: "Choose a day and time in the future" } } as const;
const agreedCents = ({ agreed }: Fields) => centsFromDollars(agreed ?? "");

function outcome(done: EditDone): Outcome {
  return done.ok ? { ok: true, what: done.what, version: done.version } : done;
}

export const NEW_PRODUCT_CHANGES = {
  add: change({
    needs: "catalogue",
    fields: fields.safeExtend({ key: z.uuid() }),
    run: async ({ by, fields }) => {
      const edit = editOf(fields);
      if (!edit) return NO_TIME;
      const done = await addProduct(db(), by, edit, { key: fields.key, agreedCents: agreedCents(fields) });
      return done.ok ? redirect(`/products/${done.id}?done=added&key=${fields.key}`) : done;
    },
  }),
};

export const PRODUCT_CHANGES = {
  save: change({
    needs: "catalogue",
    fields: fields.safeExtend({ seen: seen.optional() }),
    run: async ({ by, fields, params: { id = "" } }) => {
      const edit = editOf(fields);
      if (!edit) return NO_TIME;
      return outcome(await saveProduct(db(), by, id, edit, { seen: fields.seen, agreedCents: agreedCents(fields) }));
    },
  }),
  copy: change({
    needs: "catalogue",
    fields: z.object({ key: z.uuid() }),
    run: async ({ by, fields: { key }, params: { id = "" } }) => {
      const done = await copyProduct(db(), by, id, key);
      return done.ok ? redirect(`/products/${done.id}?done=copied`) : done;
    },
  }),
  delete: change({
    needs: "catalogue",
    fields: z.object({ seen: seen.optional() }),
    run: async ({ by, fields, params: { id = "" } }) => {
      const done = await deleteProduct(db(), by, id, fields);
      return done.ok ? redirect("/products") : done;
    },
  }),
};
