import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { loadShippingRates, seedShipping } from "#app/shipping/rates.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const db = () => database.db();
const say = (...words: string[]) => command(db(), ["delivery-ways", ...words]);
const file = path.join(mkdtempSync(path.join(tmpdir(), "irepo-ways-")), "ways.json");
const set = (content: unknown) => {
  writeFileSync(file, JSON.stringify(content));
  return say("set", file);
};
const EXPRESS = { name: "Express", places: ["country NG"], dollars: 6.5, fromDays: 1, toDays: 2, orderBy: "14:00" };

beforeAll(() => seedShipping(db()));
afterEach(() => db().deleteFrom("deliveryWays").execute());

test("what 'list' prints is read by 'set', by name, and 'switch' puts it into the checkout", async () => {
  expect(await set(EXPRESS)).toMatchObject({ code: 0, text: "Set: Express" });
  const { data, text } = await say("list");
  expect(data).toEqual([{ ...EXPRESS, active: false }]);
  expect(text).toBe("off  Express  $6.50  1 to 2 business days, order by 14:00  all of Nigeria");
  expect(await say("switch", "express", "on")).toMatchObject({ code: 0, text: "Express is on" });
  expect(await set([{ ...EXPRESS, dollars: "7", active: true }])).toMatchObject({ code: 0 });
  expect((await loadShippingRates(db())).ways).toMatchObject([{ name: "Express", rateCents: 700 }]);
});

test.each(["standard", "pick-up", "express"])("'handover' switches the code on and off for %s", async (name) => {
  await set(EXPRESS);
  const isOn = async () => (await db().selectFrom("handoverWays").selectAll().execute()).length === 1;
  for (const state of ["on", "off"]) {
    expect(await say("handover", name, state)).toMatchObject({ code: 0 });
    expect(await isOn()).toBe(state === "on");
  }
  expect(await say("handover", "rider", "on")).toMatchObject({ code: 2 });
  expect(await say("handover", name, "up")).toMatchObject({ code: 2 });
});

test("a file is applied as a whole or not at all", async () => {
  const wrong = [EXPRESS, { ...EXPRESS, name: "Rider", places: ["state Atlantis"] }];
  expect(await set(wrong)).toMatchObject({
    code: 2,
    text: expect.stringContaining("The rates have no state Atlantis"),
  });
  expect((await say("list")).data).toEqual([]);
  expect(await say("switch", "Rider", "on")).toMatchObject({ code: 2 });
  expect(await say("switch", "Rider", "up")).toMatchObject({ code: 2 });
});
