import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { rateInForce, refreshRate } from "#app/catalog/rates.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { DAY, HOUR } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { parseRate, type Rate, rateText } from "#app/money/exchange-rate.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { exchangeRateFault } from "../missing-rates.server.ts";
import { rateHistory, setRate } from "./rate.server.ts";
import { currentHold, holdRate, releaseRate } from "./rate-hold.server.ts";

const { db, provider, oneBuyer } = useCheckout();
const by: Actor = { name: "bisi@example.com", door: "office" };
const rate = (text: string) => parseRate(text) as Rate;
const ahead = (time: number) => new Date(Date.now() + time);
const inForce = async () => rateText((await rateInForce(db())).rate);

let given = 1600;
const service = createServer((_, response) => response.end(JSON.stringify({ rates: { NGN: given } })));
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  env.RATES_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
});
afterAll(() => {
  env.RATES_URL = undefined;
  service.close();
});
beforeEach(async () => {
  await setRate(db(), by, rate("1600"), { agreed: true });
});

/** The hold began so many days ago. */
async function began(days: number) {
  const set = db()
    .updateTable("exchangeRates")
    .set({ fetchedAt: ahead(-days * DAY) });
  await set.where("id", "=", (await currentHold(db()))?.id ?? "").execute();
}

const changes = (count: number) =>
  db().selectFrom("auditLog").select(["action", "after"]).orderBy("id", "desc").limit(count).execute();

async function serviceGives(naira: number) {
  given = naira;
  await refreshRate(db());
}

async function sold(): Promise<number> {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const sale = db().selectFrom("sales").select("kobo").where("reference", "=", payment.reference);
  return Number((await sale.executeTakeFirstOrThrow()).kobo);
}

test("while a rate is held, the service's rate changes no price, and each order's cost counts at its own time", async () => {
  await holdRate(db(), by, ahead(DAY));
  expect(await currentHold(db())).toMatchObject({ rate: rate("1600"), by: by.name, costKobo: 0 });
  await sold(); // the service has given nothing yet, so that nothing can be compared
  await serviceGives(1680);
  const first = await sold();
  await serviceGives(1520);
  const second = await sold();
  expect(await inForce()).toBe("1600");
  expect(await currentHold(db())).toMatchObject({
    market: rate("1520"),
    costKobo: Math.round((first * 80) / 1600) - Math.round((second * 80) / 1600),
  });
  expect((await rateHistory(db())).rows.map(({ rate }) => rateText(rate)).slice(0, 2)).toEqual(["1600", "1600"]);
});

test("after the release the service's newest rate is in force; without one, the held rate stays", async () => {
  await holdRate(db(), by, ahead(DAY));
  expect(await releaseRate(db(), by)).toBe(true);
  expect([await inForce(), await currentHold(db())]).toEqual(["1600", undefined]);
  await holdRate(db(), by, ahead(DAY));
  await serviceGives(1650);
  expect(await releaseRate(db(), by)).toBe(true);
  expect(await inForce()).toBe("1650");
  expect((await rateHistory(db())).rows[0]).toMatchObject({
    source: new URL(env.RATES_URL ?? "").host,
    setBy: null,
    before: rate("1600"),
  });
  expect(await releaseRate(db(), by)).toBe(false);
  expect(await changes(2)).toMatchObject([
    { action: "rate release", after: { rate: "1650" } },
    { action: "rate hold", after: { rate: "1600" } },
  ]);
});

test("a rate that the owner sets ends the hold", async () => {
  await holdRate(db(), by, ahead(DAY));
  await setRate(db(), by, rate("1610"));
  expect(await currentHold(db())).toBeUndefined();
  await serviceGives(1620);
  expect(await inForce()).toBe("1620");
});

test("a rate that is fetched while the hold begins does not end it", async () => {
  given = 1700;
  await Promise.all([refreshRate(db()), holdRate(db(), by, ahead(DAY)), refreshRate(db())]);
  const hold = await currentHold(db());
  expect(hold).toBeDefined();
  expect(await inForce()).toBe(rateText(hold?.rate as Rate));
});

test("a hold lasts for at most 30 days from its beginning, also when its day is changed", async () => {
  expect(await holdRate(db(), by, ahead(-HOUR))).toMatchObject({
    ok: false,
    problem: expect.stringContaining("passed"),
  });
  const tooLong = { ok: false, problem: expect.stringMatching(/^At most 30 days: until /) };
  expect(await holdRate(db(), by, ahead(32 * DAY))).toMatchObject(tooLong);
  const until = ahead(29 * DAY);
  expect(await holdRate(db(), by, until)).toMatchObject({ ok: true });
  expect(await holdRate(db(), by, until)).toMatchObject({ ok: true });
  await began(1);
  expect(await holdRate(db(), by, ahead(31 * DAY))).toMatchObject(tooLong);
  expect(await holdRate(db(), by, ahead(15 * DAY))).toMatchObject({ ok: true });
  expect((await changes(3)).map(({ action }) => action)).toEqual(["rate hold", "rate hold", "rate set"]);
});

test("an old rate that was held is a fault a week after the hold, and not before", async () => {
  await holdRate(db(), by, ahead(DAY));
  const id = (await currentHold(db()))?.id ?? "";
  const held = (from: number, until: number) =>
    db()
      .updateTable("exchangeRates")
      .set({ fetchedAt: ahead(from * DAY), heldUntil: ahead(until * DAY) })
      .where("id", "=", id)
      .execute();
  await held(-20, 1);
  expect(await exchangeRateFault(db())).toBeUndefined();
  await held(-20, -6);
  expect(await exchangeRateFault(db())).toBeUndefined();
  await held(-20, -8);
  expect(await exchangeRateFault(db())).toMatchObject({ what: expect.stringContaining("for 8 days") });
});
