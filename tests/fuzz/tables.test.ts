import Papa from "papaparse";
import { type LoaderFunctionArgs, RouterContextProvider } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { plainCell } from "#app/infra/document/csv.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { endOffers, makeOffer } from "#tests/support/offers.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { OFFICE } from "#tests/support/staff.ts";
import { requireStaff } from "../../office/http/staff.server.ts";
import { PAYLOADS } from "./payloads.ts";
import { typeEverywhere, typeIntoProduct } from "./typed.ts";
import { newWorld, type World } from "./world.ts";

const checkout = useCheckout();
const { db } = checkout;
let world: World;

const TYPED = [...new Set(PAYLOADS.filter(({ length }) => length < 5000).map((text) => storableText(text) || "x"))];
/** The beginning of a text that spreadsheets take for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

beforeAll(async () => {
  world = await newWorld(checkout);
});

/** The cells of a table, with its head first. Expects as many cells in each row as in the head. */
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

type Export = { loader(args: LoaderFunctionArgs): Response | Promise<Response> };

/** Downloads a table from a route of the office, as the owner. */
async function download(route: string): Promise<string[][]> {
  const { loader } = (await import(`../../office/routes/${route}-export.ts`)) as Export;
  const request = new Request(OFFICE, { headers: { cookie: world.cookies.owner ?? "" } });
  const args = { request, context: new RouterContextProvider(), params: {}, url: new URL(OFFICE), pattern: "" };
  await requireStaff(args, async () => new Response());
  return cellsOf(await (await loader(args)).text());
}

describe("what somebody typed is text in a spreadsheet", () => {
  test("who wants the newsletter", async () => {
    const rows = TYPED.map((firstName, at) => ({ firstName, email: `${at}@example.com` }));
    await db().insertInto("subscriptions").values(rows).execute();
    const { text } = await command(db(), ["subscribers", "export"]);
    for (const table of [await download("newsletter"), cellsOf(text)]) {
      expectNoFormula(table);
      const cells = new Set(table.flat().map(plainCell));
      expect(TYPED.filter((text) => !cells.has(text))).toEqual([]);
    }
  });

  test("customers", async () => {
    for (const firstName of TYPED) {
      const { id } = await makeShopper(db());
      await db().updateTable("users").set({ firstName }).where("id", "=", id).execute();
    }
    const table = await download("customers");
    expectNoFormula(table);
    expect(table.length).toBeGreaterThan(TYPED.length);
  });

  test("products, which can be imported again", async () => {
    for (const text of TYPED) await typeIntoProduct(db(), text, await makeProduct(db(), { M: 1 }));
    expectNoFormula(await download("products"));
  });

  test("offers", async () => {
    for (const name of TYPED) await makeOffer(db(), { gift: { kind: "percent", percent: 10 } }, { name });
    expectNoFormula(await download("offers"));
    await endOffers(db());
  });

  test("pick-up centres, which can be imported again", async () => {
    const rows = TYPED.map((name) => ({
      kind: "pickup" as const,
      name,
      rateCents: 1,
      details: JSON.stringify({ address: name, hours: name }),
    }));
    await db().insertInto("shippingRates").values(rows).execute();
    expectNoFormula(await download("delivery"));
  });

  test("orders and returns", async () => {
    for (const text of TYPED.filter((one) => FORMULA.test(one))) {
      await typeEverywhere(db(), text);
      for (const route of ["orders", "returns", "customers"]) expectNoFormula(await download(route));
    }
  });
});
