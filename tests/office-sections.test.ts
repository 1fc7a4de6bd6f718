vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { SHIPPED_SECTIONS } from "#app/catalog/home/own-sections.ts";
import { storedSections } from "#app/owner/shop/sections.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const ask = useOfficePages();
let cookies: string[];

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "catalogue"));
});
beforeEach(() => db().deleteFrom("shopSettings").execute());

const see = () => ask("/shop/sections", cookies);
const fieldOf = ({ fields }: OfficePage, name: string) => fields.find((field) => field.name === name)?.value ?? "";
/** Sends the form with these sections, as it is shown now or with the version `seen`. */
async function save(list: unknown[], seen?: string, press = "save") {
  const form = {
    intent: "sections",
    sections: JSON.stringify(list),
    seen: seen ?? fieldOf(await see(), "seen"),
    press,
  };
  return ask("/shop/sections", cookies, form);
}
const SLOGAN = { id: "a", kind: "slogan", title: "Sewn in Lagos", text: "", label: "", to: "" };

test("the screen begins with the sections that the shop comes with, and is reached from Shop", async () => {
  expect((await ask("/shop", cookies)).links).toContain("/shop/sections");
  const page = await see();
  expect(JSON.parse(fieldOf(page, "sections"))).toEqual(SHIPPED_SECTIONS);
  for (const words of ["New arrivals", "Add a wide picture", "Reset to the first five"])
    expect(page.text).toContain(words);
});

test("what is saved is in the shop at once, in this order, and is what the screen shows", async () => {
  const list = [SLOGAN, ...SHIPPED_SECTIONS.slice(0, 2)];
  const done = await save(list);
  expect([done.status, done.text]).toEqual([200, expect.stringContaining("Saved. The shop shows it now.")]);
  expect(await storedSections(db())).toEqual(list);
  expect(JSON.parse(fieldOf(await see(), "sections"))).toEqual(list);
});

test("a preview in the shop is a link, and saves nothing", async () => {
  const made = await save([SLOGAN], undefined, "preview");
  expect(made.text).toContain("Nothing is saved yet. Open the preview within a minute");
  expect(made.links.filter((link) => /\/preview\/[\w-]{22}$/.test(link))).toHaveLength(1);
  expect(await storedSections(db())).toEqual(SHIPPED_SECTIONS);
  const refused = await save([{ ...SLOGAN, title: "" }], undefined, "preview");
  expect([refused.status, refused.links.some((link) => link.includes("/preview/"))]).toEqual([422, false]);
});

test("a dead link is refused beside its field, and nothing is saved", async () => {
  await save([SLOGAN]);
  const refused = await save([{ ...SLOGAN, to: "/singleProduct/none", label: "See it" }]);
  expect(refused.status).toBe(422);
  expect(refused.text).toMatch(/Nothing was saved.*Check the marked fields/);
  expect(refused.raw).toMatch(/aria-invalid="true"[^>]*>\s*<p[^>]*>The shop has no page \/singleProduct\/none\.<\/p>/);
  expect(await storedSections(db())).toEqual([SLOGAN]);
});

test("the answer to a save has the version that it made", async () => {
  const form = { intent: "sections", sections: JSON.stringify([SLOGAN]), seen: fieldOf(await see(), "seen") };
  const { raw } = await ask("/shop/sections.data", cookies, form);
  expect(raw).toContain(`"version","${fieldOf(await see(), "seen")}"`);
});

test("a save without the last change is refused", async () => {
  const seen = fieldOf(await see(), "seen");
  await save([SLOGAN], seen);
  expect((await save([{ ...SLOGAN, title: "Other" }], seen)).status).toBe(422);
  expect(await storedSections(db())).toEqual([SLOGAN]);
});
