vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import Papa from "papaparse";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { storableText } from "#app/infra/storable-text.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { useApps } from "./apps.ts";
import { PAYLOADS } from "./payloads.ts";
import { send } from "./send.ts";
import { typeEverywhere, typeIntoProduct } from "./typed.ts";
import { newWorld, type World } from "./world.ts";

const checkout = useCheckout();
const { db } = checkout;
const apps = useApps(checkout.url, { keepsPages: false });
let world: World;

const TYPED = PAYLOADS.filter(({ length }) => length < 5000).map((text) => storableText(text) || "x");
/** As spreadsheets take it. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

beforeAll(async () => {
  world = await newWorld(checkout);
});

/** The cells of a table, its head foremost; each row has as many as the head. */
function cellsOf(csv: string): string[][] {
  const { data, errors } = Papa.parse<string[]>(csv.replace(/^\uFEFF/, "").replace(/\r?\n$/, ""), { delimiter: "," });
  expect(errors).toEqual([]);
  for (const row of data) expect(row.length, JSON.stringify(row)).toBe(data[0]?.length);
  return data;
}

function expectNoFormula(rows: string[][]): void {
  const cells = rows.flat().filter((cell) => FORMULA.test(cell) && !/^-?[\d.]+$/.test(cell));
  expect(cells).toEqual([]);
}

/** What a cell says without the mark that keeps it from being carried out. */
const meant = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell);

async function download(path: string): Promise<string[][]> {
  const parts = path.split("/").slice(1);
  const asked = {
    app: "office",
    method: "GET",
    door: path,
    parts,
    scripted: false,
    query: [],
    who: "owner",
    headers: {},
  } as const;
  const { status, text } = await send({ ...asked, parts: [...parts], query: [] }, apps.office(), world, "203.0.113.7");
  expect(status).toBe(200);
  return cellsOf(text);
}

describe("what somebody typed is text in a spreadsheet", () => {
  test("who wants the newsletter", async () => {
    const rows = TYPED.map((firstName, at) => ({ firstName, email: `${at}@example.com` }));
    await db().insertInto("subscriptions").values(rows).execute();
    const { text } = await command(db(), ["subscribers", "export"]);
    for (const table of [await download("/newsletter/export.csv"), cellsOf(text)]) {
      expectNoFormula(table);
      expect(table.flat().map(meant)).toEqual(expect.arrayContaining(TYPED));
    }
  });

  test("customers", async () => {
    for (const firstName of TYPED) {
      const { id } = await makeShopper(db());
      await db().updateTable("users").set({ firstName }).where("id", "=", id).execute();
    }
    const table = await download("/customers/export.csv");
    expectNoFormula(table);
    expect(table.length).toBeGreaterThan(TYPED.length);
  });

  test("products, which can be imported again", async () => {
    for (const text of TYPED) await typeIntoProduct(db(), text, await makeProduct(db(), { M: 1 }));
    expectNoFormula(await download("/products/export.csv"));
  });

  test("pick-up centres, which can be imported again", async () => {
    const rows = TYPED.map((name) => ({
      kind: "pickup" as const,
      name,
      rateCents: 1,
      details: JSON.stringify({ address: name, hours: name }),
    }));
    await db().insertInto("shippingRates").values(rows).execute();
    expectNoFormula(await download("/delivery/export.csv"));
  });

  test("orders and returns", async () => {
    for (const text of TYPED.filter((one) => FORMULA.test(one) || /[",;\r\n]/.test(one))) {
      await typeEverywhere(db(), text);
      for (const path of ["/orders/export.csv", "/returns/export.csv", "/customers/export.csv"])
        expectNoFormula(await download(path));
    }
  });
});
