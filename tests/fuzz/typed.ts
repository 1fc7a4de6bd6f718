import { sql } from "kysely";
import { DETAIL_NAMES } from "#app/catalog/product-fields.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { PICKUP_DETAILS } from "#app/shipping/shipping.ts";
import { lagosForm } from "#tests/support/shop.ts";

const all = (names: readonly string[], text: string) =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, text])));
const upTo = (most: number, text: string) => text.slice(0, most).toWellFormed().slice(0, most);

/** All of these texts, as many in one text as fit. A text that does not fit stands alone. */
export function fitting(texts: readonly string[], fits: (text: string) => boolean): string[] {
  const fitted: string[] = [];
  for (const text of texts) {
    const both = `${fitted.at(-1)} ${text}`;
    if (fitted.length > 0 && fits(both)) fitted[fitted.length - 1] = both;
    else fitted.push(text);
  }
  return fitted;
}

/** Makes this the text of a product. Title and colour are cut to the length that every door accepts. */
export async function typeIntoProduct(on: Db, typed: string, id?: string): Promise<void> {
  const text = storableText(typed) || "x";
  const picture = { hash: "0".repeat(20), width: 900, height: 1200, alt: text, background: "#888888" };
  const short = upTo(200, text).replaceAll("\ufffd", "") || "x";
  await on
    .updateTable("products")
    .set({
      title: short,
      color: short,
      description: text,
      details: all(DETAIL_NAMES, text),
      images: JSON.stringify([picture]),
    })
    .$if(id !== undefined, (update) => update.where("id", "=", id ?? ""))
    .execute();
}

/** Makes this the shop's notice, cut to the length of its field. */
export async function typeNotice(on: Db, typed: string): Promise<void> {
  const notice = upTo(300, storableText(typed) || "x");
  await on
    .insertInto("shopSettings")
    .values({ notice, noticeShown: true })
    .onConflict((conflict) => conflict.column("isOnly").doUpdateSet({ notice, noticeShown: true }))
    .execute();
}

/** Makes this the text of the About page, in each kind of block. It has no links, which are no plain text there. */
async function typeIntoPage(on: Db, typed: string): Promise<void> {
  const text = typed.replaceAll("](", "] (");
  const blocks = JSON.stringify([
    { kind: "paragraph", text },
    { kind: "list", items: [text] },
    { kind: "heading", text },
  ]);
  await on
    .insertInto("pageTexts")
    .values({ page: "about", version: 1, blocks, savedBy: text, publishedAt: new Date(0) })
    .onConflict((conflict) => conflict.columns(["page", "version"]).doUpdateSet({ blocks, savedBy: text }))
    .execute();
}

/**
 * Makes this the text of everything that people can type and that is kept. Bypasses the forms, since data from another
 * shop may contain anything.
 */
export async function typeEverywhere(on: Db, typed: string): Promise<void> {
  const text = storableText(typed) || "x";
  await typeIntoProduct(on, text);
  const line = JSON.stringify({ title: text, color: text });
  const shipping = sql<string>`shipping || ${all(Object.keys(lagosForm), text)}::jsonb`;
  const lines = sql<string>`(select jsonb_agg(line || ${line}::jsonb) from jsonb_array_elements(lines) line)`;
  await on.updateTable("users").set({ firstName: text, lastName: text }).execute();
  await on.updateTable("sessions").set({ device: text }).execute();
  await on.updateTable("cartLines").set({ color: text }).execute();
  await on.updateTable("orders").set({ shipping, lines }).execute();
  await on.updateTable("sales").set({ shipping, carrier: text, tracking: text }).execute();
  const contents = sql<string>`contents || jsonb_build_object('lines', (
    select jsonb_agg(line || ${line}::jsonb) from jsonb_array_elements(contents -> 'lines') line))`;
  const seller = JSON.stringify({ name: text, address: text, tin: text, showsVat: true });
  await on
    .updateTable("receipts")
    .set({ contents, seller, buyer: JSON.stringify([text]) })
    .execute();
  const words = upTo(1000, text);
  await on.updateTable("returns").set({ words, answer: words, carrier: text, tracking: text }).execute();
  await on.updateTable("orderNotes").set({ text, author: text }).execute();
  await on.updateTable("customerNotes").set({ text, author: text }).execute();
  const word = upTo(30, text);
  await on.updateTable("orderTags").set({ word }).execute();
  await on.updateTable("customerTags").set({ word }).execute();
  await on.updateTable("subscriptions").set({ firstName: text }).execute();
  await on.updateTable("collections").set({ name: text, words: text }).execute();
  const measures = JSON.stringify([{ name: text, meaning: text }]);
  const sizes = JSON.stringify([{ size: "M", cm: [96] }]);
  await on.updateTable("sizeGuides").set({ name: text, falls: text, measures, sizes }).execute();
  await typeIntoPage(on, words);
  await on
    .updateTable("shippingRates")
    .set({ details: all(PICKUP_DETAILS, text) })
    .where("kind", "=", "pickup")
    .execute();
  await on.updateTable("staff").set({ name: text }).execute();
  await on.updateTable("staffSessions").set({ device: text }).execute();
  await on.updateTable("staffPasskeys").set({ device: text }).execute();
  await on.updateTable("outbox").set({ state: "failed", lastError: text }).execute();
  await on.updateTable("exchangeRates").set({ source: text, setBy: text }).execute();
  await typeNotice(on, typed);
  const changed = all(["title", "words"], text);
  await on
    .insertInto("auditLog")
    .values({
      actor: text,
      door: "office",
      action: text,
      subjectKind: "order",
      subjectId: text,
      before: changed,
      after: changed,
    })
    .execute();
}
