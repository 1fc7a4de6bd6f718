vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, expect, test, vi } from "vitest";
import { currentHold } from "#app/owner/money/rate-hold.server.ts";
import { endOfDay, shopDay } from "#app/owner/shop-time.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const pageAt = useOfficePages();
let cookies: string[];
beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "owner"));
});

const money = (form?: Record<string, string>) => pageAt("/money", cookies, form);

test("the rate is held until a day and released, without script", async () => {
  const until = shopDay(-3);
  expect((await money({ intent: "hold", until })).text).toContain("₦1,600 is held.");
  expect((await currentHold(db()))?.until).toEqual(endOfDay(until));
  const page = await money();
  expect(page.text).toMatch(/Held Until .*, by /);
  expect(page.forms.find(({ intents }) => intents.includes("release"))).toMatchObject({ isFolded: true });
  expect((await money({ intent: "release" })).text).toContain("The rate is no longer held.");
  expect(await currentHold(db())).toBeUndefined();
});

test("a day too far away is refused beside its field, where it still stands", async () => {
  const page = await money({ intent: "hold", until: shopDay(-60) });
  expect([page.status, page.fields.find(({ name }) => name === "until")?.value]).toEqual([422, shopDay(-60)]);
  expect(page.text).toContain("At most 30 days");
});
