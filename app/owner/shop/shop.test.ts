import { afterEach, expect, test, vi } from "vitest";
import { mostOfASize } from "#app/cart/limit.server.ts";
import { catalogWatch } from "#app/catalog/changes.server.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { openListener } from "#app/infra/database/listener.server.ts";
import { workOn } from "#app/infra/database/queue.server.ts";
import { env } from "#app/infra/env.server.ts";
import { followShopSettings, knownShopSettings, shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { changeShop, shopValues, showNoticeInTime } from "./settings.server.ts";

const database = useDatabase();
const db = () => database.db();
const by: Actor = { name: "bisi@example.com", door: "office" };
const SOON = () => new Date(Date.now() + 60_000).toJSON();
const LONG_AGO = "2026-01-01T00:00:00.000Z";

afterEach(async () => {
  await db().deleteFrom("shopSettings").execute();
  await shopSettings(db());
});

test("until the owner sets a value, that of the environment applies", async () => {
  const { contact, MOST_OF_A_SIZE: mostOfASize } = env;
  const kinds = ["Jerseys", "Tees", "Prints", "Accessories"].map((name) => ({ id: name.toLowerCase(), name }));
  const usual = { contact, mostOfASize, notice: "", cardFor: "color", othersPay: false, kinds };
  expect(await shopSettings(db())).toEqual(usual);
});

test("the owner's values go first, an empty text is none, and null is the environment's value again", async () => {
  const wanted = { email: "help@shop.example", whatsapp: "+2348031234567", xUrl: "", sizeLimit: 7 };
  await changeShop(db(), by, wanted, await shopValues(db()));
  expect(await shopSettings(db())).toMatchObject({
    contact: {
      email: "help@shop.example",
      whatsappUrl: "https://wa.me/2348031234567",
      instagramUrl: env.contact.instagramUrl,
      xUrl: undefined,
    },
    mostOfASize: 7,
  });
  expect(mostOfASize()).toBe(7);
  await changeShop(db(), by, { email: null, sizeLimit: null }, { email: wanted.email, sizeLimit: 7 });
  expect(await shopSettings(db())).toMatchObject({
    contact: { email: env.contact.email },
    mostOfASize: env.MOST_OF_A_SIZE,
  });
  const rows = await db().selectFrom("auditLog").selectAll().orderBy("id").execute();
  expect(rows).toMatchObject([
    { action: "shop set", actor: by.name, after: wanted },
    { before: { email: "help@shop.example", sizeLimit: 7 }, after: { email: null, sizeLimit: null } },
  ]);
});

test("the settings that a page shows are read by one statement, and never older than the request", async () => {
  let statements = 0;
  const counted = db().withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements++;
      return result;
    },
  });
  for (const notice of ["Sale", "No sale"]) {
    await changeShop(db(), by, { notice }, await shopValues(db()));
    const asked = await Promise.all([shopSettings(counted), rateInForce(counted), shopSettings(counted)]);
    expect(asked).toMatchObject([{ notice }, { stored: false }, { notice }]);
  }
  expect(statements).toBe(2);
});

test("of two members who change a value, the later one is refused; other values are no conflict", async () => {
  const was = await shopValues(db());
  await changeShop(db(), by, { notice: "Closed on Monday" }, was);
  const stale = { ok: false, isStale: true, theirs: ["notice"] };
  expect(await changeShop(db(), by, { notice: "Open on Monday" }, was)).toEqual(stale);
  expect(await changeShop(db(), by, { notice: "Closed on Monday" }, was)).toEqual({ ok: true, isNew: false });
  expect(await changeShop(db(), by, { xUrl: "https://x.com/irepo" }, was)).toEqual({ ok: true, isNew: true });
});

test("a value that is sent back unchanged is no change, even if somebody else has changed it", async () => {
  const was = await shopValues(db());
  await changeShop(db(), by, { notice: "Closed on Monday" }, was);
  expect(await changeShop(db(), by, { ...was, sizeLimit: 7 }, was)).toEqual({ ok: true, isNew: true });
  expect(await shopValues(db())).toEqual({ ...was, notice: "Closed on Monday", sizeLimit: 7 });
});

test("a notice that would end before it starts is refused, also if two have set one time each", async () => {
  const was = await shopValues(db());
  const refused = { ok: false, problems: { noticeUntil: "It ends before it starts" } };
  expect(await changeShop(db(), by, { noticeFrom: SOON(), noticeUntil: LONG_AGO }, was)).toEqual(refused);
  await changeShop(db(), by, { noticeFrom: SOON() }, was);
  expect(await changeShop(db(), by, { noticeUntil: LONG_AGO }, was)).toEqual(refused);
  expect(await shopValues(db())).toMatchObject({ noticeUntil: null });
});

test.each([
  ["now", {}, "Sale"],
  ["later", { noticeFrom: SOON() }, ""],
  ["until its end", { noticeUntil: SOON() }, "Sale"],
  ["no longer when it is over", { noticeUntil: LONG_AGO }, ""],
])("a notice is shown %s", async (_, times, shown) => {
  await changeShop(db(), by, { notice: "Sale", ...times }, await shopValues(db()));
  expect((await shopSettings(db())).notice).toBe(shown);
});

test("a notice begins and ends by itself, and cached pages are invalidated only then", async () => {
  const hasChanged = catalogWatch();
  await changeShop(db(), by, { notice: "Sale", noticeFrom: SOON() }, await shopValues(db()));
  while (await hasChanged(db())); // until it has seen all earlier changes
  await showNoticeInTime(db());
  expect(await hasChanged(db())).toBe(false);
  await db()
    .updateTable("shopSettings")
    .set({ noticeFrom: new Date(LONG_AGO) })
    .execute();
  await hasChanged(db());
  await showNoticeInTime(db());
  expect([await hasChanged(db()), (await shopSettings(db())).notice]).toEqual([true, "Sale"]);
  await db()
    .updateTable("shopSettings")
    .set({ noticeUntil: new Date(Date.now() - 1000) })
    .execute();
  await showNoticeInTime(db());
  expect((await shopSettings(db())).notice).toBe("");
});

const BUSY_MACHINE = 1000; // ms

test("a job shows it within a second of its beginning, and takes it away within one of its end", async () => {
  await workOn("show-notice", () => showNoticeInTime(db()));
  const [from, until] = [1500, 4000].map((ms) => new Date(Date.now() + ms));
  const times = { noticeFrom: from?.toJSON(), noticeUntil: until?.toJSON() };
  await changeShop(db(), by, { notice: "Sale", ...times }, await shopValues(db()));
  const late = async (shown: string, moment: Date | undefined) => {
    await vi.waitUntil(async () => (await shopSettings(db())).notice === shown, { timeout: 10_000, interval: 20 });
    return Date.now() - Number(moment);
  };
  for (const ms of [await late("Sale", from), await late("", until)]) {
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThan(1000 + BUSY_MACHINE);
  }
});

test("a change reaches a process that only listens, and invalidates cached pages", async () => {
  const close = await openListener(database.url());
  await followShopSettings(db);
  const hasChanged = catalogWatch();
  while (await hasChanged(db()));
  await changeShop(db(), by, { sizeLimit: 3 }, await shopValues(db()));
  await expect.poll(() => knownShopSettings().mostOfASize).toBe(3);
  expect(await hasChanged(db())).toBe(true);
  await close();
});
