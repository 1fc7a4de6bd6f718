vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const pageAt = useOfficePages();

let cookies: string[];
beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "catalogue"));
});
beforeEach(async () => {
  await db().deleteFrom("shippingRates").execute();
  await seedShipping(db());
});

const rates = () => db().selectFrom("shippingRates").selectAll().orderBy("kind").orderBy("name").execute();
const rateOf = async (name: string) => (await rates()).find((one) => one.name === name)?.rateCents;
const setRate = (name: string, rateCents: number) =>
  db().updateTable("shippingRates").set({ rateCents }).where("name", "=", name).execute();
const changes = () =>
  db().selectFrom("auditLog").selectAll().where("action", "=", "shipping set").orderBy("id").execute();

const addressOf = (asked: Record<string, string>) => `/delivery/change?${new URLSearchParams(asked)}`;

/** Opens the preview, and returns it with the fields of its form. */
async function preview(asked: Record<string, string>) {
  const page = await pageAt(addressOf(asked), cookies);
  const sent = page.fields.find(({ name }) => name === "rates")?.value ?? "";
  return { ...page, press: () => pageAt(addressOf(asked), cookies, { intent: "change", rates: sent }) };
}

describe("changing many rates", () => {
  test("each rate is shown before and after, and nothing is saved yet", async () => {
    const before = await rates();
    const { text, forms } = await preview({ of: "state", by: "+10%" });
    expect(text).toContain("Lagos Changed $3.50 ≈ ₦5,600 $3.85 ≈ ₦6,160");
    expect(text).not.toContain("Yaba");
    expect(forms.flatMap(({ intents }) => intents)).toEqual(["change"]);
    expect(await rates()).toEqual(before);
  });

  test("those that stay are named, and unlikely ones are marked and asked about", async () => {
    await setRate("Lagos", 10);
    await setRate("Ogun", 0);
    const { text } = await preview({ of: "state", by: "0%", step: "500" });
    expect(text).toContain("Lagos Unlikely $0.10 ≈ ₦160 $0.00 ≈ ₦0");
    expect(text).toContain("Ogun Stays $0.00 ≈ ₦0 $0.00 ≈ ₦0");
    expect(text).toContain("1 rate would become free");
    expect(text).toMatch(/Yes, change \d+ rates/);
  });

  test("one press changes all of them, with one line in the log, and a second press changes nothing more", async () => {
    const before = await rates();
    const lines = (await changes()).length;
    const { press } = await preview({ by: "+800" });
    expect((await press()).text).toContain(`${before.length} places changed.`);
    expect(await rates()).toEqual(before.map((one) => ({ ...one, rateCents: one.rateCents + 50 })));
    expect((await press()).text).toContain("Nothing to change");
    expect(await rateOf("Lagos")).toBe(400);
    const [line, ...others] = (await changes()).slice(lines);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      before: { "state Lagos": "$3.50", "pickup Yaba": "$2.00" },
      after: { "state Lagos": "$4.00", "pickup Yaba": "$2.50" },
    });
  });

  test.each([
    [
      "changed",
      () => setRate("Lagos", 380),
      "state Lagos: $3.50 in the preview, $3.80 now",
      /Lagos Changed \$3\.80.*?\$4\.18/,
    ],
    [
      "removed",
      () => db().deleteFrom("shippingRates").where("name", "=", "Yaba").execute(),
      "pickup Yaba: $2.00 in the preview, removed now",
      /rates would change/,
    ],
  ])("after a rate was %s meanwhile nothing is changed, and both are shown", async (_, meanwhile, says, fresh) => {
    const { press } = await preview({ by: "+10%" });
    await meanwhile();
    const before = await rates();
    const { status, text } = await press();
    expect(status).toBe(422);
    expect(text).toContain("Somebody else has changed rates since the preview. Nothing was changed.");
    expect(text).toContain(says);
    expect(text).toMatch(fresh);
    expect(await rates()).toEqual(before);
  });

  test.each([
    ["ten", "Write a percentage like +10% or -5%"],
    ["", "Write a percentage like +10% or -5%"],
    ["-90,000", "Too much: Abia costs $"],
    ["+99,999,999,999%", "Too much: Abia costs $"],
  ])("“%s” is refused beside its field, which keeps it", async (by, says) => {
    const { text, fields, forms } = await preview({ of: "state", by });
    expect(text).toContain(says);
    expect(fields.find(({ name }) => name === "by")).toMatchObject({ value: by, "aria-invalid": "true" });
    expect(forms.flatMap(({ intents }) => intents)).toEqual([]);
  });
});

test("the screen Delivery leads to the change of many rates for those who may change them", async () => {
  expect((await pageAt("/delivery", cookies)).links).toContain("/delivery/change");
  const reader = await staffWithPasskey(db(), "reader");
  expect((await pageAt("/delivery", reader.cookies)).links).not.toContain("/delivery/change");
});
