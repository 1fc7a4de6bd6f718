import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { previewImport } from "#app/owner/catalog/product-import.server.ts";
import { previewRates } from "#app/owner/delivery/import.server.ts";
import { planParcels } from "#app/owner/orders/parcels/parcels.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { SEED } from "#tests/support/seed.ts";
import { shareOf } from "#tests/support/share.ts";
import { readBlock, readNumber } from "../../office/stock/sheet.ts";
import { FILES, pasted } from "./files.ts";
import { parcelTable, productTable, rateTable, shopifyTable, wooTable } from "./forms.ts";
import { isSlowAgain, SLOW, WITHIN } from "./slow.ts";
import { word } from "./words.ts";
import { filledIn, newWorld, type World } from "./world.ts";

const RUNS = Number(process.env.FUZZ_CASES ?? shareOf(10_000)) / 100;

const checkout = useCheckout();
const { db } = checkout;
const folder = mkdtempSync(path.join(tmpdir(), "irepo-fuzz-"));
let world: World;

beforeAll(async () => {
  world = await newWorld(checkout);
});
afterAll(() => rmSync(folder, { recursive: true }));

const fill = (text: string) => filledIn(text, world.names).toWellFormed();
const everyOne = { numRuns: RUNS, seed: SEED };

/** Expects `work` to end within a second, unless the machine is busy. */
async function inTime<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await work();
  const isSlow = performance.now() - startedAt > SLOW && (await isSlowAgain(work, () => sql`select 1`.execute(db())));
  expect(isSlow, "takes more than a second").toBe(false);
  return answer;
}

describe(`a file with anything in it, seed ${SEED}`, { timeout: WITHIN }, () => {
  test.each(Object.entries(FILES))("'%s' takes it, or says what is wrong with it", async (name, { words, files }) => {
    const line = [...name.split(" "), ...words.map((word) => (word.startsWith("-") ? word : path.join(folder, word)))];
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        for (const [file, text] of Object.entries(given)) writeFileSync(path.join(folder, file), fill(text));
        const { code, data, text } = await inTime(() => command(db(), line));
        for (const file of Object.keys(given)) rmSync(path.join(folder, file));
        // A code of 1 without an error means that only a part was left out; an error means that the command has thrown.
        expect(code === 1 && data, text).not.toHaveProperty("error");
        expect(text).not.toMatch(/\n\s+at \S.*:\d+:\d+/);
      }),
      everyOne,
    );
  });

  test.each<[string, fc.Arbitrary<string>, (text: string) => Promise<unknown>]>([
    ["products", fc.oneof(productTable, pasted), (text: string) => previewImport(db(), text, { withStock: true })],
    [
      "another shop's products",
      fc.oneof(shopifyTable, wooTable),
      (text: string) => previewImport(db(), text, { withStock: true, currency: { currency: "USD" } }),
    ],
    ["delivery rates", fc.oneof(rateTable, pasted), (text: string) => previewRates(db(), { text, isAll: true })],
    ["parcels", fc.oneof(parcelTable, pasted), (text: string) => planParcels(db(), { text })],
    ["stock", pasted, async (text: string) => readBlock(text).flat()],
  ])("pasted rows of %s are read", async (_, rows, read) => {
    await fc.assert(
      fc.asyncProperty(rows, async (text) => void (await inTime(() => read(fill(text))))),
      everyOne,
    );
  });

  test("a cell of the stock is a number that can be, or none", () => {
    fc.assert(
      fc.property(word, fc.nat({ max: 1000 }), (text, onHand) => {
        const value = readNumber(text, onHand);
        expect(value === undefined || value === null || (Number.isInteger(value) && value >= 0)).toBe(true);
      }),
      everyOne,
    );
  });
});
