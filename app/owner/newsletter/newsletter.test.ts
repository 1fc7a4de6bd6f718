import { beforeEach, expect, test } from "vitest";
import { DAY } from "#app/infra/durations.ts";
import { listSubscriptions, subscribe } from "#app/newsletter/newsletter.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { OFFICE as by } from "#tests/support/returns.ts";
import { newsletterGrowth, removeSubscriber, searchSubscribers } from "./newsletter.server.ts";

const { db } = useDatabase();
beforeEach(withinOneDay);

async function since(email: string, daysAgo: number): Promise<void> {
  await subscribe(db(), "Ada", email);
  const createdAt = new Date(Date.now() - daysAgo * DAY);
  await db().updateTable("subscriptions").set({ createdAt }).where("email", "=", email).execute();
}

test("subscribers are searched, paged and counted by day, and removed once", async () => {
  await since("now@example.com", 0);
  await since("week@example.com", 7);
  await since("before@example.com", 40);
  await since("old@example.org", 400);
  const emails = async (text?: string) => (await searchSubscribers(db(), text)).rows.map(({ email }) => email);
  expect(await emails()).toEqual(["now@example.com", "week@example.com", "before@example.com", "old@example.org"]);
  expect(await emails("EXAMPLE.org")).toEqual(["old@example.org"]);
  expect(await emails("ada")).toHaveLength(4);
  const first = await searchSubscribers(db(), undefined, {}, 3);
  expect((await searchSubscribers(db(), undefined, { before: first.older }, 3)).rows).toHaveLength(1);

  const month = await newsletterGrowth(db(), 30);
  expect(month).toMatchObject({ all: 4, added: 2, addedBefore: 1 });
  expect(month.parts).toHaveLength(30);
  expect(month.parts.at(-1)).toMatchObject({ added: 1, all: 4 });
  expect(month.parts.at(-8)).toMatchObject({ added: 1, all: 3 });
  const year = await newsletterGrowth(db(), 364);
  expect([year.added, year.parts.length, year.parts[0]?.all, year.parts.at(-1)?.all]).toEqual([3, 52, 1, 4]);

  expect(await removeSubscriber(db(), by, " Now@Example.com")).toBe(true);
  expect(await removeSubscriber(db(), by, "now@example.com")).toBe(false);
  const log = await db().selectFrom("auditLog").selectAll().execute();
  expect(log).toMatchObject([{ action: "subscribers remove", actor: by.name }]);
  expect(JSON.stringify(log)).not.toContain("now@example.com");
});

test("an address that subscribes again stays one subscription, with its first name and date", async () => {
  await since("again@example.com", 30);
  const own = async () => (await listSubscriptions(db())).filter(({ email }) => /again/i.test(email));
  const before = await own();
  await subscribe(db(), "Eze", "Again@Example.com");
  expect(before).toMatchObject([{ firstName: "Ada" }]);
  expect(await own()).toEqual(before);
});
