import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storeRate } from "#app/catalog/rates.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import * as messages from "#app/messages.ts";
import { parseRate } from "#app/money/exchange-rate.ts";
import { problemText } from "#app/payments/problem-text.ts";
import { readShippingDocument } from "#app/shipping/document.server.ts";
import { loadShippingRates, seedShipping } from "#app/shipping/rates.server.ts";
import type { Destination } from "#app/shipping/shipping.ts";
import { KNOWN_STATES } from "#app/shipping/state-names.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { missingRates } from "./missing-rates.server.ts";
import { reviewShippingNames } from "./shipping-names.ts";

const { db, pay, stockOf, statesOf } = useCheckout();

afterEach(async () => {
  Object.assign(env, { RATES_URL: undefined, BACKUPS: undefined });
  env.live = false;
  await db().deleteFrom("shippingRates").execute();
  await seedShipping(db());
  await db().deleteFrom("exchangeRates").execute();
});

async function buyer(): Promise<{ productId: string; user: Shopper }> {
  const productId = await makeProduct(db(), { M: 1 });
  return { productId, user: await makeShopper(db(), { productId, size: "M" }) };
}

const removeRates = (kind: "state" | "pickup" | "country") =>
  db().deleteFrom("shippingRates").where("kind", "=", kind).execute();

const PLACES: [string, "state" | "pickup" | "country", Destination][] = [
  ["a state", "state", { kind: "home", state: "Lagos" }],
  ["a pick-up center", "pickup", { kind: "pickup", center: "Ikeja City Mall" }],
  ["a country", "country", { kind: "abroad", country: "GB" }],
];

describe("an order while no place of its kind has a delivery rate", () => {
  test.each(PLACES)("to %s is refused with a message, and reserves nothing", async (_, kind, destination) => {
    const { productId, user } = await buyer();
    await removeRates(kind);
    const answer = await pay(user, { destination });
    expect(answer).toEqual({ ok: false, problem: "no-delivery" });
    expect(problemText({ ok: false, problem: "no-delivery" })).toBe(messages.order.noDelivery);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
    expect(await statesOf(user)).toEqual([]);
  });

  test("is not shown as free either", async () => {
    await removeRates("state");
    expect((await loadShippingRates(db())).states.every(({ rateCents }) => rateCents === undefined)).toBe(true);
  });
});

test.each([
  ["is set to 0", () => db().updateTable("shippingRates").set({ rateCents: 0 }).where("name", "=", "Lagos").execute()],
  ["alone has no rate", () => db().deleteFrom("shippingRates").where("name", "=", "Lagos").execute()],
])("delivery to a state that %s is free", async (_, change) => {
  const { user } = await buyer();
  await change();
  expect(await pay(user, { form: lagosForm })).toMatchObject({ ok: true, kobo: 7_998_400 }); // $49.99 x 1600
});

describe("names of delivery rates", () => {
  const imported = async (
    states: Record<string, number>,
    countries: Record<string, number> = {},
    words = ["--yes"],
  ) => {
    const folder = mkdtempSync(path.join(tmpdir(), "irepo-shipping-"));
    const document = { Nigeria: { homeDelivery: { states }, pickup: { locations: {} } }, ...countries };
    writeFileSync(path.join(folder, "shipping.json"), JSON.stringify(document));
    return command(db(), ["shipping", "import", path.join(folder, "shipping.json"), ...words]);
  };
  const all = Object.fromEntries(KNOWN_STATES.map((name) => [name, 5]));

  test("that match no state are reported by the import; an alias (Abuja, FCT) finds its state", async () => {
    const { "Federal Capital Territory": abuja = 0, ...others } = all;
    const { text, data } = await imported({ ...others, "FCT, Abuja": abuja, "Lagos Mainland": 4 });
    expect(text).toContain(
      "No state of Nigeria is known under these names, and they are offered as they are: Lagos Mainland",
    );
    expect(data).toMatchObject({ unknownStates: ["Lagos Mainland"], statesWithoutRate: [] });
  });

  test("with an unknown country are reported, and nothing is imported", async () => {
    expect(await imported(all, { Ghanna: 20 })).toMatchObject({
      code: 2,
      text: expect.stringContaining("'Ghanna' is no country"),
    });
  });

  test("25 in the documents' example cover every state", () => {
    const [, example = ""] = /```json\n(.*"homeDelivery".*?)```/s.exec(readFileSync("docs/running.md", "utf8")) ?? [];
    expect(reviewShippingNames(readShippingDocument(JSON.parse(example)))).toEqual({
      unknownStates: [],
      statesWithoutRate: [],
    });
  });

  test("25 that leave states without a rate need a confirmation", async () => {
    await db().deleteFrom("shippingRates").execute();
    expect(await imported({ Lagos: 3 }, {}, [])).toMatchObject({
      code: 2,
      text: expect.stringContaining("delivery to them costs $0: Abia, Adamawa"),
    });
    expect(await db().selectFrom("shippingRates").selectAll().execute()).toEqual([]);
    expect(await imported(all, {}, [])).toMatchObject({ code: 0 });
  });

  test("that lack a state make its delivery free, and the import and check report that", async () => {
    const { Kano: _, Yobe: __, ...others } = all;
    const says = "These states have no rate, and delivery to them costs $0: Kano, Yobe";
    expect((await imported(others)).text).toContain(says);
    expect(await command(db(), ["check"])).toMatchObject({
      code: 0,
      text: expect.stringContaining(says),
      data: { statesWithoutRate: ["Kano", "Yobe"] },
    });
  });
});

test("without a rate and RATES_URL the start warns, and says that cards are charged at the fallback", async () => {
  expect(await missingRates(db())).toEqual([
    "there is no exchange rate, and $1 counts as ₦1600: cards are charged at this fallback: npm run shop -- rate set 1534.25, or set RATES_URL",
  ]);
});

describe("check, with live keys", () => {
  // Without these, a trial's data and a missing backup would be faults, too.
  beforeEach(async () => {
    env.live = true;
    expect(await command(db(), ["go-live", "--yes"])).toMatchObject({ code: 0 });
    Object.assign(env, { BACKUPS: "elsewhere" });
  });
  const faults = async () => {
    const { code, text } = await command(db(), ["check"]);
    return [code, /no delivery rate/.test(text), /no exchange rate/.test(text)];
  };

  test("fails without a delivery rate, and without an exchange rate", async () => {
    env.live = true;
    await db().deleteFrom("shippingRates").execute();
    expect(await faults()).toEqual([1, true, true]);
    await seedShipping(db());
    expect(await faults()).toEqual([1, false, true]);
    expect((await command(db(), ["check"])).text).toContain("$1 counts as ₦1600: cards are charged at this fallback");
    const rate = parseRate("1534.25");
    if (rate) await storeRate(db(), rate, "test");
    expect(await faults()).toEqual([0, false, false]);
  });

  test("48 fails while the rates service has given no rate; the start does not warn before the first request", async () => {
    env.live = true;
    env.RATES_URL = "https://rates.example/latest";
    expect(await faults()).toEqual([1, false, true]);
    expect(await missingRates(db())).toEqual([]);
  });

  test("48 fails after 7 days without a set, confirmed or fetched rate, like status, until one is set again", async () => {
    env.live = true;
    const told = async () => [
      (await command(db(), ["check"])).code,
      /the exchange rate hasn’t been set or confirmed for 8 days/.test((await command(db(), ["check"])).text),
      /WRONG .*hasn’t been set or confirmed/.test((await command(db(), ["status"])).text),
    ];
    await db()
      .insertInto("exchangeRates")
      .values({ rate: "1534.25", source: "owner", fetchedAt: new Date(Date.now() - 8 * DAY) })
      .execute();
    expect(await told()).toEqual([1, true, true]);
    env.live = false;
    expect(await told()).toEqual([0, false, false]);
    env.live = true;
    await command(db(), ["rate", "set", "1534.25"]);
    expect(await told()).toEqual([0, false, false]);
  });
});

test("check reports no missing rates in the demo", async () => {
  expect((await command(db(), ["check"])).code).toBe(0);
});
