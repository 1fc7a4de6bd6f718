import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { KNOWN_STATES } from "#app/shipping/state-names.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const db = () => database.db();
const say = (line: string, answer?: boolean) => command(db(), line.split(" "), answer);
const folder = mkdtempSync(path.join(tmpdir(), "irepo-doubts-"));
function file(name: string, content: unknown): string {
  const at = path.join(folder, name);
  writeFileSync(at, JSON.stringify(content));
  return at;
}

beforeEach(() => sql`truncate products, exchange_rates, shipping_rates, audit_log cascade`.execute(db()));

describe("a question", () => {
  const rate = async () => rateText((await rateInForce(db())).rate);

  test("without a terminal ends the command with 2 and nothing done, and names --yes", async () => {
    const { code, text } = await say("rate set 15.34");
    expect(code).toBe(2);
    for (const part of ["1600 NGN -> 15.34 NGN", "add --yes"]) expect(text).toContain(part);
    expect(await rate()).toBe("1600");
  });

  test("is answered at the terminal: no ends the command with nothing done, yes runs it", async () => {
    expect(await say("rate set 15.34", false)).toMatchObject({ code: 2, text: "Nothing was done." });
    expect(await rate()).toBe("1600");
    expect(await say("rate set 15.34", true)).toMatchObject({ code: 0 });
    expect(await rate()).toBe("15.34");
  });

  test("is answered by --yes at any place in the command line", async () => {
    expect(await say("--yes rate set 15.34")).toMatchObject({ code: 0 });
    expect(await rate()).toBe("15.34");
  });
});

describe("a rate is asked about when it is more than 25 % from the last", () => {
  test.each([
    ["2000", 0],
    ["1200", 0],
    ["2000.000001", 2],
    ["1199.99", 2],
  ])("1600 -> %s", async (given, code) => {
    expect(await say(`rate set ${given}`)).toMatchObject({ code });
  });
});

describe("a price is asked about when it is over $2,000, or 10 times more or less than before", () => {
  const cap = { id: "cap", title: "Cap", color: "Black", price: 30 };
  const known = () => say(`products import ${file("known.json", [cap])}`);
  const priceNow = async () => ((await say("products export")).data as { price: number }[])[0]?.price;

  test.each([
    [299, 0],
    [300, 2],
    [3.01, 0],
    [3, 2],
  ])("30 -> %s", async (price, code) => {
    await known();
    const at = file("dearer.json", [{ id: "cap", price }]);
    const said = await say(`products import ${at}`);
    expect(said.code).toBe(code);
    expect(await priceNow()).toBe(code ? 30 : price);
    if (code === 0) return;
    expect(said.text).toContain("cap: price $30.00 -> $");
    expect(await say(`products import ${at} --yes`)).toMatchObject({ code: 0 });
    expect(await priceNow()).toBe(price);
  });

  test.each([
    [2000, 0],
    [25_000, 2],
  ])("new: %s", async (price, code) => {
    expect(await say(`products import ${file("new.json", [{ ...cap, price }])}`)).toMatchObject({ code });
    expect(await priceNow()).toBe(code ? undefined : price);
  });
});

describe("delivery rates are asked about when some go, many change, or one changes very much", () => {
  const everywhere = Object.fromEntries(KNOWN_STATES.map((name) => [name, 3]));
  const states = (rates: Record<string, number>) => ({
    Nigeria: { homeDelivery: { states: { ...everywhere, ...rates } }, pickup: { locations: {} } },
  });
  const twelve = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`State ${n}`, 3]));
  const now = async () => (await say("shipping export")).data;
  const importing = (rates: Record<string, number>, yes = "") =>
    say(`shipping import ${file("shipping.json", states(rates))}${yes}`);

  test("nothing is asked about the first ones", async () => {
    expect(await importing(twelve)).toMatchObject({ code: 0, data: { rates: 12 + KNOWN_STATES.length } });
  });

  test.each<[string, Record<string, number>, string[]]>([
    ["one is dropped", { ...twelve, "State 0": 3, "State 1": Number.NaN }, ["removed  state State 1: $3.00"]],
    ["all change", Object.fromEntries(Object.keys(twelve).map((name) => [name, 4])), ["State 7: $3.00 -> $4.00"]],
    ["one is ten times as much", { ...twelve, "State 1": 30 }, ["changed  state State 1: $3.00 -> $30.00"]],
    ["one is for nothing", { ...twelve, "State 1": 0 }, ["changed  state State 1: $3.00 -> $0.00"]],
  ])("%s: the differences are shown line by line, and --yes imports them", async (_, rates, lines) => {
    await importing(twelve);
    const wanted = Object.fromEntries(Object.entries(rates).filter(([, rate]) => !Number.isNaN(rate)));
    const { code, text } = await importing(wanted);
    expect(code).toBe(2);
    for (const line of lines) expect(text).toContain(line);
    expect(await now()).toEqual(states(twelve));
    expect(await importing(wanted, " --yes")).toMatchObject({ code: 0 });
    expect(await now()).toEqual(states(wanted));
  });

  test("a few rates that change a little, and new ones, are not asked about", async () => {
    await importing(twelve);
    expect(await importing({ ...twelve, "State 1": 4, "State 12": 5 })).toMatchObject({
      code: 0,
      data: {
        added: [{ name: "state State 12" }],
        changed: [{ name: "state State 1" }],
        dropped: [],
        unchanged: 11 + KNOWN_STATES.length,
      },
    });
  });

  test("a file that would drop the demo's rates is asked about", async () => {
    await seedShipping(db());
    const lagos = { Nigeria: { homeDelivery: { states: { Lagos: 3 } }, pickup: { locations: {} } } };
    const { code, text } = await say(`shipping import ${file("lagos.json", lagos)}`);
    expect(code).toBe(2);
    expect(text.match(/^removed /gm)?.length).toBeGreaterThan(50);
  });
});
