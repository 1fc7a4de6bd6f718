import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const db = () => database.db();
const say = (...words: string[]) => command(db(), ["redirects", ...words]);
const file = path.join(mkdtempSync(path.join(tmpdir(), "irepo-redirects-")), "redirects.csv");
const importFile = (content: string, ...options: string[]) => {
  writeFileSync(file, content);
  return say("import", file, ...options);
};

afterEach(() => db().deleteFrom("oldAddresses").execute());

test("an address is set, changed, listed and removed", async () => {
  expect(await say("set", "/Pages/About-Us/", "/about")).toMatchObject({
    code: 0,
    text: "/pages/about-us leads to /about",
  });
  expect(await say("set", "/pages/about-us", "/shop")).toMatchObject({ code: 0 });
  expect(await say("list")).toMatchObject({ text: "/pages/about-us  /shop" });
  expect(await say("set", "/shop", "/about")).toMatchObject({ code: 2 });
  expect(await say("remove", "/pages/about-us")).toMatchObject({ code: 0 });
  expect(await say("remove", "/pages/about-us")).toMatchObject({ code: 2 });
});

test("the page of a kind is where an old address may lead, and no old address itself", async () => {
  expect(await say("set", "/product-category/tees", "/collections/Tees?size=M")).toMatchObject({
    code: 0,
    text: "/product-category/tees leads to /collections/tees?size=M",
  });
  expect(await say("set", "/collections/tees", "/about")).toMatchObject({
    code: 2,
    text: "This address has a page of its own",
  });
  expect(await importFile("/hats,/collections/hats\n/prints,/collections/prints\n", "--skip-bad")).toMatchObject({
    code: 1,
    text: expect.stringContaining("Row 1, /hats: A page of this shop"),
    data: { changed: 1 },
  });
});

test("'import' reads what 'export' prints, and without --skip-bad a file as a whole or not at all", async () => {
  await say("set", "/pages/about-us", "/about");
  const { text, data } = await say("export");
  await say("remove", "/pages/about-us");
  expect(await importFile(`${text}\r\n/a,/nothing`)).toMatchObject({
    code: 2,
    text: expect.stringContaining("Row 3, /a: "),
  });
  expect((await say("list")).data).toEqual([]);
  expect(await importFile(`${text}\r\n/a,/nothing`, "--skip-bad")).toMatchObject({ code: 1, data: { changed: 1 } });
  expect((await say("export")).data).toEqual(data);
  expect(await importFile(text)).toMatchObject({ code: 0, text: "0 addresses imported, 1 unchanged" });
});
