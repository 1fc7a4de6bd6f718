vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { allOldAddresses, setOldAddress } from "#app/owner/shop/old-addresses.server.ts";
import { OWNER } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const pageAt = useOfficePages();

let cookies: string[];
beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "catalogue"));
});
afterEach(async () => {
  await db().deleteFrom("oldAddresses").execute();
  await db().deleteFrom("missedAddresses").execute();
});

const LIST = "/shop/addresses";
const FORM = `${LIST}/address`;
const ABOUT = { from: "/pages/about-us", to: "/about" };
const save = (typed: Record<string, string>) => pageAt(FORM, cookies, { intent: "save", ...typed });
const importRows = (text: string, others: Record<string, string> = {}) =>
  pageAt(`${LIST}/import`, cookies, { intent: "import", text, ...others });

test("an address is added, found, changed and removed", async () => {
  const { location } = await save(ABOUT);
  expect((await pageAt(location ?? "", cookies)).text).toContain("/pages/about-us to /about");
  expect((await pageAt(`${LIST}?q=nothing`, cookies)).text).toContain("No link fits.");
  const { fields } = await pageAt(`${FORM}?old=%2Fpages%2Fabout-us`, cookies);
  expect(fields.length).toBeGreaterThan(1);
  await save({ from: "/pages/about", to: "/shop?kind=tees", wasFrom: ABOUT.from, wasTo: ABOUT.to });
  expect(await allOldAddresses(db())).toEqual([{ from: "/pages/about", to: "/shop?kind=tees" }]);
  const again = await save({ from: "/pages/about", to: "/shop?kind=tees", wasFrom: ABOUT.from, wasTo: ABOUT.to });
  expect(again.location).toContain("/shop/addresses?q=");
  expect((await pageAt(LIST, cookies, { intent: "remove", from: "/pages/about" })).text).toContain("is removed.");
  expect(await allOldAddresses(db())).toEqual([]);
});

test.each([
  [{ from: "/shop" }, "This address has a page of its own"],
  [{ from: "https://old.example/x" }, "A path like /pages/about-us"],
  [{ to: "/nothing" }, "A page of this shop, like /about"],
  [{ to: "/pages/old" }, "A page of this shop, like /about"],
  [{ from: "/pages/old" }, "It’s in the list already, and leads to /shop"],
])("%o is refused beside its field", async (wrong, said) => {
  await setOldAddress(db(), OWNER, { from: "/pages/old", to: "/shop" });
  expect((await save({ ...ABOUT, ...wrong })).text).toContain(said);
  expect(await allOldAddresses(db())).toHaveLength(1);
});

test("what somebody else has changed meanwhile is not overwritten", async () => {
  await setOldAddress(db(), OWNER, ABOUT);
  await setOldAddress(db(), OWNER, { ...ABOUT, to: "/shop" }, ABOUT);
  const { text } = await save({ from: ABOUT.from, to: "/privacy-policy", wasFrom: ABOUT.from, wasTo: ABOUT.to });
  expect(text).toContain("Somebody else has changed or removed this address. Nothing was saved.");
  expect(await allOldAddresses(db())).toEqual([{ ...ABOUT, to: "/shop" }]);
});

test("what was asked for and not found leads to the form, and leaves the list once it is redirected", async () => {
  await db()
    .insertInto("missedAddresses")
    .values([
      { path: "/pages/about-us", times: 12 },
      { path: "/wp-login.php", times: 1 },
    ])
    .execute();
  const { text, links } = await pageAt(`${LIST}?view=missed`, cookies);
  expect(text).toMatch(/\/pages\/about-us 12 times, last .*\/wp-login\.php 1 time,/);
  const form = links.find((link) => link.includes("about-us")) ?? "";
  expect((await pageAt(form, cookies)).raw).toContain('value="/pages/about-us"');
  await save(ABOUT);
  expect((await pageAt(`${LIST}?view=missed`, cookies)).text).not.toContain("/pages/about-us");
});

test("a file with mistakes names its rows and changes nothing, unless these rows are to be left out", async () => {
  const rows = "Redirect from,Redirect to\n/pages/about-us,/about\n/shop,/about\n/a,/nothing\n/pages/about-us/,/shop";
  const { text } = await importRows(rows);
  expect(text).toContain("3 rows can’t be imported. Nothing was imported.");
  expect(text).toContain("Row 3, /shop: This address has a page of its own");
  expect(text).toContain("Row 4, /a: A page of this shop");
  expect(text).toContain("Row 5, /pages/about-us/: It’s in an earlier row");
  expect(await allOldAddresses(db())).toEqual([]);
  expect((await importRows(rows, { skip: "on" })).text).toContain("1 address imported, 0 unchanged, 3 rows left out.");
  expect(await allOldAddresses(db())).toEqual([ABOUT]);
});

test("what the export gives is imported again as it was", async () => {
  await setOldAddress(db(), OWNER, ABOUT);
  await setOldAddress(db(), OWNER, { from: "/products/café, rouge", to: "/shop?q=caf%C3%A9" });
  const before = await allOldAddresses(db());
  const { raw } = await pageAt(`${LIST}/export.csv`, cookies);
  await db().deleteFrom("oldAddresses").execute();
  expect((await importRows(raw)).text).toContain("2 addresses imported, 0 unchanged.");
  expect(await allOldAddresses(db())).toEqual(before);
});
