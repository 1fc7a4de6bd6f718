import { redirect } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { hyphened } from "#app/infra/text/fold.ts";
import { plural } from "#app/infra/text/plural.ts";
import { ID_MAX, MOST_COLLECTIONS, MOST_PRODUCTS, showingAt } from "#app/owner/collections/collection.ts";
import {
  addCollection,
  addProducts,
  changeCollection,
  deleteCollection,
  moveProduct,
  removeProduct,
  storedPicture,
} from "#app/owner/collections/collections.server.ts";
import { alt, name, words } from "#app/owner/collections/document.server.ts";
import { NO_ALT, picture as pictureOf } from "#app/owner/shop/hero.ts";
import { momentAfter, momentOf, OVER_AT_ONCE } from "#app/owner/shop-time.server.ts";
import { change, outdated } from "../http/changes.server.ts";
import { RULE_FIELDS, readRule } from "./rule.server.ts";

const product = z.string().max(100);

/** The dates between which the shop shows a collection, and the problems by field. */
function readDates({ startsAt: from, endsAt: until }: { startsAt: string; endsAt: string }) {
  const [startsAt, endsAt] = [momentOf(from), momentAfter(until)];
  const problems = {
    ...(from && !startsAt && { startsAt: "A day and a time, or nothing: then it’s shown at once" }),
    ...(until && !endsAt && { endsAt: "A day and a time, or nothing: then it has no end" }),
    ...(startsAt && endsAt && endsAt <= startsAt && { endsAt: OVER_AT_ONCE }),
  };
  return { dates: { ...(startsAt && { startsAt }), ...(endsAt && { endsAt }) }, problems };
}

/** The picture, if there is one, and the problems by field. */
async function readPicture({ picture: file, alt }: { picture: string; alt: string }) {
  if (!file) return { picture: {}, problems: {} };
  const wish = pictureOf.safeParse(parsed(file));
  const picture = wish.success ? await storedPicture({ ...wish.data, alt }) : undefined;
  const problems = {
    ...(!picture && { picture: "This picture is missing. Add it again" }),
    ...(!alt && { alt: NO_ALT }),
  };
  return { picture: picture && { picture }, problems };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return;
  }
}

export const NEW_COLLECTION_CHANGES = {
  add: change({
    needs: "catalogue",
    fields: z.object({ name, words, address: z.string().max(200) }),
    returnsTyped: true,
    run: async ({ by, fields: { address, ...wish } }) => {
      const id = hyphened(address || wish.name, ID_MAX);
      if (!id) return { ok: false, problems: { address: "Use letters from a to z, or digits" } };
      const added = await addCollection(db(), by, { id, ...wish });
      return added.ok ? redirect(`/collections/${id}`) : { ok: false, problems: { address: added.problem } };
    },
  }),
};

export const COLLECTION_CHANGES = {
  save: change({
    needs: "catalogue",
    fields: z.object({
      name,
      words,
      ...RULE_FIELDS,
      place: z.coerce.number().int().min(1).max(MOST_COLLECTIONS),
      startsAt: z.string().max(30).default(""),
      endsAt: z.string().max(30).default(""),
      picture: z.string().max(200).default(""),
      alt,
      shown: z.literal("on").optional(),
      version: z.coerce.number().int(),
    }),
    returnsTyped: true,
    run: async ({ by, params: { id = "" }, fields: { shown, version: seen, name, words, place, ...typed } }) => {
      const { rule, problems: ofRule } = readRule(typed);
      const { dates, problems: ofDates } = readDates(typed);
      const { picture, problems: ofPicture } = await readPicture(typed);
      const problems = { ...ofPicture, ...ofRule, ...ofDates };
      if (Object.keys(problems).length > 0) return { ok: false, problems };
      const wish = { name, words, rule, place, hidden: shown === undefined, ...picture, ...dates };
      const done = await changeCollection(db(), by, id, wish, seen);
      if (!done.ok) return outdated("this collection", done);
      const isShown = showingAt(wish, new Date()) === "shown";
      const what = isShown ? "Saved. The shop shows it now." : "Saved.";
      return { ok: true, what, version: String(done.version) };
    },
  }),
  add: change({
    needs: "catalogue",
    fields: z.object({ products: z.array(product).min(1).max(MOST_PRODUCTS) }),
    run: async ({ by, params: { id = "" }, fields: { products } }) => {
      const added = await addProducts(db(), by, id, products);
      return { ok: true, what: `${plural(added, "product")} added.` };
    },
  }),
  remove: change({
    needs: "catalogue",
    fields: z.object({ product }),
    run: async ({ by, params: { id = "" }, fields }) => {
      await removeProduct(db(), by, id, fields.product);
      return { ok: true, what: "Taken out. It stays in the shop." };
    },
  }),
  move: change({
    needs: "catalogue",
    fields: z.object({ product, before: product.default("") }),
    run: async ({ by, params: { id = "" }, fields: { product, before } }) => {
      await moveProduct(db(), by, id, product, before);
      return { ok: true, what: "Moved." };
    },
  }),
  delete: change({
    needs: "catalogue",
    fields: z.object({}),
    run: async ({ by, params: { id = "" } }) => {
      await deleteCollection(db(), by, id);
      return redirect("/collections");
    },
  }),
};
