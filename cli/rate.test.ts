import { beforeEach, expect, test } from "vitest";
import { storeRate } from "#app/catalog/rates.server.ts";
import { FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const db = () => database.db();
const say = (...line: string[]) => command(db(), line);

beforeEach(() => storeRate(db(), FALLBACK_RATE, "test"));

test("a rate is held to the end of a day, shown as held, and released", async () => {
  const held = await say("rate", "hold", shopDay(-3));
  expect(held).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^1 USD = 1600 NGN .*\nHeld until .* by bola\.$/),
  });
  expect((await say("rate", "show")).data).toMatchObject({ rate: "1600", held: { rate: "1600", by: "bola" } });
  expect(await say("rate", "release")).toMatchObject({ code: 0, text: expect.not.stringContaining("Held") });
  expect(await say("rate", "release")).toMatchObject({ code: 2, text: "No rate is held" });
});

test("the cost of the hold so far is shown", async () => {
  await say("rate", "hold", shopDay(-3));
  await db()
    .insertInto("exchangeRates")
    .values({ rate: "1650", source: "rates.example.com", inForce: false })
    .execute();
  const { text, data } = await say("rate", "show");
  expect(text).toContain("The service gives 1650 NGN now; so far the hold has cost ₦0.");
  expect(data).toMatchObject({ held: { market: "1650", costKobo: 0 } });
});

test.each([
  ["tomorrow", "is no day like"],
  ["2020-01-01", "has passed"],
  [shopDay(-40), "At most 30 days"],
])("a rate can't be held until %s", async (until, problem) => {
  expect(await say("rate", "hold", until)).toMatchObject({ code: 2, text: expect.stringContaining(problem) });
  expect((await say("rate", "show")).data).not.toHaveProperty("held");
});
