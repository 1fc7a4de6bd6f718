import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { SHIPPED_SECTIONS } from "#app/catalog/home/own-sections.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { env } from "#app/infra/env.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { whitePicture } from "#tests/support/picture.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { versionOf } from "./hero.server.ts";
import { changeSections, storedSections } from "./sections.server.ts";
import { sections } from "./sections.ts";

const database = useDatabase();
const db = () => database.db();
env.pictures = { folder: mkdtempSync(path.join(tmpdir(), "irepo-pictures-")) };
const by: Actor = { name: "bisi@example.com", door: "office" };

const slogan = { id: "a", kind: "slogan", title: "Sewn in Lagos", text: "", label: "", to: "" };
const products = { id: "b", kind: "products", title: "Ours", products: ["tee"] };
const picture = { ...slogan, id: "c", kind: "picture", alt: "A yard of cloth", picture: { hash: "0".repeat(20) } };
const set = (list: unknown[], seen?: string) => changeSections(db(), by, sections.parse(list), seen);
let hash: string;
beforeAll(async () => {
  ({ hash } = await whitePicture());
});
afterEach(() => db().deleteFrom("shopSettings").execute());

test("the built-in sections are shown until the owner sets others, and are stored as built-in", async () => {
  expect(await storedSections(db())).toEqual(SHIPPED_SECTIONS);
  const own = { ...picture, picture: { hash, focus: "30% 70%" } };
  expect(await set([own, ...SHIPPED_SECTIONS.slice(1)])).toMatchObject({ ok: true, isNew: true });
  const stored = { ...own, picture: { hash, width: 30, height: 20, background: "#ffffff", focus: "30% 70%" } };
  const changed = [stored, ...SHIPPED_SECTIONS.slice(1)];
  expect(await storedSections(db())).toEqual(changed);
  const [row] = await db().selectFrom("auditLog").selectAll().orderBy("id", "desc").limit(1).execute();
  expect(row).toMatchObject({ actor: by.name, action: "sections set", subjectId: "sections" });
  expect(row).toMatchObject({ before: { sections: SHIPPED_SECTIONS }, after: { sections: changed } });
  expect(await set(SHIPPED_SECTIONS)).toMatchObject({ ok: true, isNew: true });
  expect(await db().selectFrom("shopSettings").select("homeSections").execute()).toEqual([{ homeSections: null }]);
  const again = await set(SHIPPED_SECTIONS);
  expect(again).toMatchObject({ ok: true, isNew: false });
  expect(again.ok && versionOf(again.sections)).toBe(versionOf(await storedSections(db())));
});

test("of two simultaneous changes the later one is refused, and nothing is lost", async () => {
  const seen = versionOf(await storedSections(db()));
  const first = await set([slogan], seen);
  expect(await set([{ ...slogan, title: "Other" }], seen)).toEqual({ ok: false, isStale: true });
  expect(await storedSections(db())).toEqual([slogan]);
  const now = first.ok ? versionOf(first.sections) : "";
  expect(versionOf(await storedSections(db()))).toBe(now);
  expect(await set([{ ...slogan, title: "Other" }], now)).toMatchObject({ ok: true });
});

const nine = Array.from({ length: 9 }, (_, at) => String(at));
const rail = { id: "r", kind: "shipped", name: "rail" };
test.each<[string, unknown[], string]>([
  ["none", [], "Keep at least one section"],
  ["nine", nine.map((id) => ({ ...slogan, id })), "At most 8 sections"],
  ["two of one id", [slogan, slogan], "Two sections have the same id"],
  ["one of the shop's own twice", [rail, { ...rail, id: "s" }], "is there twice"],
  ["no title", [{ ...slogan, title: " " }], "Give it a title"],
  ["a title of 61 letters", [{ ...slogan, title: "a".repeat(61) }], "At most 60 letters"],
  ["a text of 401 letters", [{ ...slogan, text: "a".repeat(401) }], "At most 400 letters"],
  ["a link to another site", [{ ...slogan, to: "https://example.com", label: "Go" }], "A page of the shop"],
  ["a path that is another site's", [{ ...slogan, to: "//example.com", label: "Go" }], "A page of the shop"],
  ["a tab within it", [{ ...slogan, to: "/\t/example.com", label: "Go" }], "A page of the shop"],
  ["a link without a text", [{ ...slogan, to: "/about" }], "Give the link a text"],
  ["no picture", [{ ...picture, picture: null }], "Add a picture"],
  ["no words for the picture", [{ ...picture, alt: "" }], "Describe the picture"],
  ["no products", [{ ...products, products: [] }], "Add a product"],
  ["a product that is not chosen", [{ ...products, products: ["\0 "] }], "Choose each product"],
  ["nine products", [{ ...products, products: nine }], "At most 8 products"],
  ["a product twice", [{ ...products, products: ["tee", "tee"] }], "A product is there twice"],
  ["no collection", [{ id: "a", kind: "collection", collection: "", most: 4 }], "Choose a collection"],
  ["five products", [{ id: "a", kind: "arrivals", title: "New", most: 5 }], "Show 4 or 8 products"],
])("%s is refused", (_, given, problem) => {
  const read = sections.safeParse(given);
  expect(read.error?.issues.map(({ message }) => message).join()).toContain(problem);
});

test("a section's unknown product or collection is reported at its field, and the earlier sections stay", async () => {
  const tee = await makeProduct(db(), { M: 1 });
  const collection = { id: "d", kind: "collection", collection: "none", most: 4 };
  const dead = { ...slogan, to: "/collections/none", label: "See it" };
  expect(await set([{ ...products, products: [tee, "none"] }, collection, dead, { ...picture, id: "e" }])).toEqual({
    ok: false,
    problems: {
      "0.products": "There’s no product none",
      "1.collection": "There’s no collection or kind none",
      "2.to": "The shop has no page /collections/none.",
      "3.picture": "This picture is missing. Add it again",
    },
  });
  const led = { ...slogan, to: `/singleProduct/${tee}`, label: "See it" };
  expect(await set([led, { ...products, products: [tee] }])).toMatchObject({ ok: true });
  await db().deleteFrom("products").where("id", "=", tee).execute();
  expect(await set([led, { ...products, title: "Mine", products: [tee] }])).toMatchObject({ ok: true });
});
