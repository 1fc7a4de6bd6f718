import fc from "fast-check";
import Papa from "papaparse";
import { z } from "zod";
import { PRODUCT_FIELDS } from "#app/catalog/documents/product.server.ts";
import { collectionDocument } from "#app/owner/collections/document.server.ts";
import { WAY_FIELDS } from "#app/owner/delivery/ways.server.ts";
import { kindDocument } from "#app/owner/kinds/document.server.ts";
import { slides } from "#app/owner/shop/hero.ts";
import { sections } from "#app/owner/shop/sections.ts";
import { sizeGuideDocument } from "#app/owner/size-guides/document.server.ts";
import { productTable, shopifyTable, wooTable } from "./forms.ts";
import { accepted } from "./schema.ts";
import { known, longWord, word } from "./words.ts";

/** The contents of files by their names. */
export type Files = Record<string, string>;

const value: fc.Arbitrary<unknown> = fc.oneof(word, fc.integer(), fc.constantFrom(null, true, [], {}, 1e21, -0.5));
const document = (names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
const documents = (names: string[]) => fc.array(document(names), { maxLength: 3 });
const jsonOf = (one: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 8, arbitrary: one.map((all) => JSON.stringify(all)) },
    { weight: 1, arbitrary: one.map((all) => JSON.stringify(all).slice(0, -1)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.oneof(word, longWord) },
  );

const product = fc
  .record({ id: fc.oneof(known, fc.constant("new-one")), title: word, price: fc.constantFrom("49.99", "0", "x") })
  .chain((usual) => document(PRODUCT_FIELDS).map((more) => ({ ...more, ...usual, images: [] })));
const user = documents(["uid", "email", "firstName", "lastName", "emailVerified", "createdAt", "cart", "items"]);
const sale = documents(["reference", "uid", "customerDetails", "products", "amount", "rate", "status", "createdAt"]);
const rate = fc.oneof(fc.integer(), fc.double(), word);
const shipping = fc.record({
  Nigeria: fc.record({
    homeDelivery: fc.record({ states: fc.dictionary(fc.oneof(fc.constantFrom("Lagos", "Yobe"), word), rate) }),
    pickup: fc.record({ locations: fc.dictionary(word, fc.record({ rate, address: word })) }),
  }),
  International: fc.dictionary(fc.oneof(fc.constantFrom("Ghana", "Atlantis"), word), rate),
});

/** For each command that reads files: the words after its name, and the files. */
export const FILES: Record<string, { words: string[]; files: fc.Arbitrary<Files> }> = {
  "products import": {
    words: ["table.csv", "--dry-run"],
    files: fc.oneof(productTable, shopifyTable, wooTable, word).map((text) => ({ "table.csv": text })),
  },
  "shipping import": {
    words: ["rates.json", "--yes"],
    files: jsonOf(shipping).map((text) => ({ "rates.json": text })),
  },
  "hero set": {
    words: ["slides.json"],
    files: jsonOf(accepted(slides)).map((text) => ({ "slides.json": text })),
  },
  "sections set": {
    words: ["sections.json"],
    files: jsonOf(accepted(sections)).map((text) => ({ "sections.json": text })),
  },
  "collections set": {
    words: ["collections.json"],
    files: jsonOf(fc.array(accepted(collectionDocument), { maxLength: 2 })).map((text) => ({
      "collections.json": text,
    })),
  },
  "kinds set": {
    words: ["kinds.json"],
    files: jsonOf(fc.array(accepted(kindDocument), { maxLength: 2 })).map((text) => ({ "kinds.json": text })),
  },
  "size-guides set": {
    words: ["guides.json"],
    files: jsonOf(fc.array(accepted(sizeGuideDocument), { maxLength: 2 })).map((text) => ({ "guides.json": text })),
  },
  "delivery-ways set": {
    words: ["ways.json"],
    files: jsonOf(fc.array(accepted(z.object(WAY_FIELDS)), { maxLength: 2 })).map((text) => ({ "ways.json": text })),
  },
  "redirects import": {
    words: ["redirects.csv", "--skip-bad"],
    files: fc
      .array(fc.tuple(fc.oneof(word, longWord, fc.constant("/old")), fc.oneof(word, fc.constant("/about"))))
      .map((rows) => ({ "redirects.csv": Papa.unparse(rows) })),
  },
  "documents import": {
    words: [".", "--skip-bad"],
    files: fc.record(
      {
        "Products.json": jsonOf(fc.array(product, { maxLength: 2 })),
        "Users.json": jsonOf(user),
        "Sales.json": jsonOf(sale),
        "Subscription.json": jsonOf(documents(["firstName", "email", "createdAt"])),
        "ExchangeRate.json": jsonOf(documents(["rate", "createdAt"])),
      },
      { requiredKeys: [] },
    ),
  },
};

/** The commands that get no files here, and why. */
export const NO_FILES: Record<string, string> = {
  "words set": "its file is any text, read as a form's: tests/long-texts.test.ts, app/content/notation.test.ts",
  restore: "its file is PostgreSQL's own, and read by pg_restore: cli/backup.test.ts",
};

/** Rows as pasted from a spreadsheet, with quotes, tabs and line breaks in cells. */
export const pasted: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.array(word, { maxLength: 4 }), { maxLength: 4 }).map((rows) => Papa.unparse(rows, { delimiter: "\t" })),
  fc
    .array(fc.array(word, { maxLength: 4 }), { maxLength: 4 })
    .map((rows) => rows.map((row) => row.join("\t")).join("\n")),
  word,
  longWord,
);
