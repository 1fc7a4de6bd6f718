vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { deliveryWays, saveWay } from "#app/owner/delivery/ways.server.ts";
import { loadShippingRates, seedShipping } from "#app/shipping/rates.server.ts";
import { OWNER } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { aWay, typedWay, way } from "#tests/support/delivery-ways.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const pageAt = useOfficePages();

let cookies: string[];
beforeAll(async () => {
  await seedShipping(db());
  ({ cookies } = await staffWithPasskey(db(), "catalogue"));
});
afterEach(() => db().deleteFrom("deliveryWays").execute());

const save = (typed: Record<string, string>, at = "/delivery/ways?way=new") =>
  pageAt(at, cookies, { intent: "save", id: "", version: "0", ...typed });
const offered = async () => (await loadShippingRates(db())).ways?.map(({ name }) => name) ?? [];

test("a new way stays off until it is switched on, and the list shows it", async () => {
  const { location } = await save(typedWay());
  const { text } = await pageAt(location ?? "", cookies);
  expect(text).toContain("The checkout doesn’t offer it.");
  expect(text).toContain("1 to 2 business days, order by 14:00: Lagos");
  expect(await offered()).toEqual([]);
  const id = (await deliveryWays(db()))[0]?.id ?? "";
  expect((await pageAt("/delivery/ways", cookies, { intent: "switch", id, to: "on" })).text).toContain(
    "The checkout offers Express now.",
  );
  expect(await offered()).toEqual(["Express"]);
  await pageAt("/delivery/ways", cookies, { intent: "switch", id, to: "off" });
  expect(await offered()).toEqual([]);
});

test.each([
  [{ name: "" }, "Give it a name"],
  [{ name: "standard" }, "The present delivery has this name"],
  [{ "places[]": "state Atlantis" }, "The rates have no state Atlantis"],
  [{ dollars: "much" }, "isn’t a price in dollars"],
  [{ fromDays: "3", toDays: "2" }, "Not less than the first number"],
  [{ orderBy: "25:00" }, "A time like 14:00, or nothing"],
])("%o is refused beside its field", async (wrong, said) => {
  const { text, fields } = await save(typedWay(wrong));
  expect(text).toContain(said);
  const ticked = fields.filter(({ name, checked }) => name === "places[]" && checked !== undefined);
  expect(ticked.map(({ value }) => value)).toEqual("places[]" in wrong ? [] : ["state Lagos"]);
  expect(await deliveryWays(db())).toEqual([]);
});

test("a change that somebody else has made meanwhile is shown, and nothing is overwritten", async () => {
  const id = await aWay(db(), { name: "Express" });
  await saveWay(db(), OWNER, way({ rateCents: 700 }), { id, seen: 1 });
  const { text } = await save({ ...typedWay({ dollars: "8" }), id, version: "1" }, `/delivery/ways?way=${id}`);
  expect(text).toContain("Somebody else has changed this way.");
  expect(text).toContain("$7.00");
  expect((await deliveryWays(db()))[0]?.rateCents).toBe(700);
});

test("the same press twice adds one way, with one line in the log", async () => {
  const lines = () => db().selectFrom("auditLog").select("id").where("action", "=", "delivery-ways set").execute();
  const before = (await lines()).length;
  await save(typedWay());
  await save(typedWay());
  expect(await deliveryWays(db())).toHaveLength(1);
  expect((await lines()).length - before).toBe(1);
});
