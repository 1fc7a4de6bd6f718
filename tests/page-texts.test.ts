vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { readNotation, writeNotation } from "#app/content/notation.ts";
import { TEXT_PAGES, type TextPage } from "#app/content/pages.ts";
import { publishedText } from "#app/content/published.server.ts";
import { log } from "#app/infra/log.server.ts";
import { publishText, putBackText, textVersions, withdrawText } from "#app/owner/texts/versions.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);

/** The text in code, and the blocks around the picture of the page. */
const ORIGINAL = "being of one mind";
const OWN = "Made in [our shop](/shop).\n\n- jerseys\n- tees\n\n# Where\n\nOn [the map](https://example.com/map).";
const BLOCKS = readNotation(OWN);

let first: string;

beforeEach(async () => {
  await db().deleteFrom("pageTexts").execute();
  await expect.poll(about).toContain(ORIGINAL);
  first ??= await about();
});

async function ask(path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${shop().port}${path}`, { headers: { host: "localhost" } });
  expect(answer.status).toBe(200);
  return await answer.text();
}
const about = () => ask("/about");
const publish = (text: string, { seen = 0, at }: { seen?: number; at?: Date } = {}) =>
  publishText(db(), OWNER, "about", { blocks: readNotation(text), seen, at });

test("a page that the owner never changed shows the text in code", async () => {
  const html = await about();
  expect(html).toContain('<strong lang="yo">Ìrẹ́pọ̀</strong> is Yoruba for harmony');
  expect(html).toMatch(/sizes (<!-- -->)?S to XXL(<!-- -->)?, in colours/);
  expect(html.replaceAll(/<script[\s\S]*?<\/script>/g, "")).not.toContain("wrap-anywhere");
});

test("what the owner publishes is shown within a second, with its links, around the page's picture", async () => {
  expect(await publish(OWN)).toEqual({ ok: true, isNew: true, version: 1 });
  await expect.poll(about, { timeout: 1000 + 1000 }).toContain("Made in");
  const html = await about();
  expect(html).not.toContain(ORIGINAL);
  expect(html).toMatch(
    /<p>Made in <a href="\/shop" data-link="">our shop<\/a>\.<\/p><ul><li>jerseys<\/li><li>tees<\/li>/,
  );
  expect(html).toMatch(/<\/ul><\/div><\/div>[\s\S]*adire-cloth[\s\S]*<h2>Where<\/h2>/);
  expect(html).toContain('<a href="https://example.com/map" rel="noopener">the map</a>');
  for (const locked of ["<title>About | Irepo</title>", "Built on unity and connection", "Shop Now"])
    expect(html).toContain(locked);
  expect(await ask("/about.data")).toContain("our shop");
});

test("the first text, put back, is the page as it was, to the letter", async () => {
  await publish(OWN);
  await expect.poll(about).toContain("Made in");
  expect(await putBackText(db(), OWNER, "about", { version: 0, seen: 1 })).toMatchObject({ ok: true, version: 2 });
  await expect.poll(about).toContain(ORIGINAL);
  expect(await about()).toBe(first);
  expect(await db().selectFrom("pageTexts").select("blocks").where("version", "=", 2).execute()).toEqual([
    { blocks: null },
  ]);
});

describe("a policy", () => {
  const policy = (page: TextPage, text: string) =>
    publishText(db(), OWNER, page, { blocks: readNotation(text), seen: 0 });

  test.each<[TextPage, string]>([
    ["returns", "You can return items within 14 days of delivery."],
    ["shipping", "Orders are processed in 2-3 business days."],
    ["privacy", "We never sell your data"],
  ])("of %s shows the owner's text below its title, and until then the text in code", async (page, original) => {
    const { title, path } = TEXT_PAGES[page];
    await expect.poll(() => ask(path)).toContain(original);
    await policy(page, "Ask us: {email}.");
    await expect.poll(() => ask(path)).toContain("Ask us: ");
    const html = await ask(path);
    expect(html).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
    expect(html).toMatch(/<p>Ask us: <a href="mailto:[^"]+">[^<]+@[^<]+<\/a>\.<\/p>/);
    expect(html).not.toContain(original);
  });

  test("has the delivery prices where the owner has put them", async () => {
    await policy("shipping", "# What it costs\n\n{delivery prices}\n\nThat’s all.");
    await expect.poll(() => ask("/shipping-policy")).toContain("That’s all.");
    expect(await ask("/shipping-policy")).toMatch(
      /What it costs<\/h2><div id="prices">[\s\S]*Other countries[\s\S]*<p>That’s all\.<\/p>/,
    );
  });

  test("on privacy is effective from the day on which the owner published another text", async () => {
    await expect.poll(() => ask("/privacy-policy")).toContain("Effective 16 March 2025"); // the test before published one
    await policy("privacy", "We keep your orders.");
    await db()
      .updateTable("pageTexts")
      .set({ publishedAt: new Date("2025-06-30T23:30:00Z") })
      .execute();
    await expect.poll(() => ask("/privacy-policy")).toContain("Effective 1 July 2025");
  });

  test.each(["30 days", "14 hours", "2–4 business days", "a 24-hour limit", "14 business days"])(
    "on returns can't promise %s, since the shop acts by other times",
    async (time) => {
      const said = `Return items within ${time}.`;
      expect(await policy("returns", said)).toMatchObject({
        ok: false,
        problems: [expect.stringMatching(/isn’t what the shop goes by: 14 days, 7 business days, and 48 hours\.$/)],
      });
      expect(await publish(said)).toMatchObject({ ok: true }); // About promises nothing
    },
  );

  test("on returns may name the times that the shop acts by", async () => {
    expect(await policy("returns", "14 days, 48-hour, 7 business days")).toMatchObject({ ok: true });
  });
});

test("a version that is published at a time is shown from then on, without anybody pressing anything", async () => {
  await publish("Now");
  await publish("Then", { seen: 1, at: new Date(Date.now() + 60_000) });
  await expect.poll(about).toContain("<p>Now</p>");
  const soon = new Date(Date.now() + 1500);
  await publish("Soon", { seen: 2, at: soon });
  await expect.poll(about).toContain("<p>Soon</p>");
  expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime());
  const states = (await textVersions(db(), "about")).map(({ state }) => state);
  expect(states).toEqual(["shown", "withdrawn", "past"]);
});

test("a planned version that is withdrawn is never shown, and stays in the history", async () => {
  await publish("Then", { at: new Date(Date.now() + 60_000) });
  expect(await withdrawText(db(), OWNER, "about")).toBe(true);
  expect(await withdrawText(db(), OWNER, "about")).toBe(false);
  expect(await textVersions(db(), "about")).toMatchObject([{ version: 1, state: "withdrawn", publishedAt: null }]);
});

test("a planned version takes the place of what was published before its time", async () => {
  await publish("Then", { at: new Date(Date.now() + 60_000) });
  await publish("Meanwhile", { seen: 1 });
  await expect.poll(about).toContain("<p>Meanwhile</p>");
  await db()
    .updateTable("pageTexts")
    .set({ publishedAt: sql<Date>`clock_timestamp()` })
    .where("version", "=", 1)
    .execute();
  await expect.poll(about).toContain("<p>Then</p>");
  expect((await textVersions(db(), "about")).map(({ state }) => state)).toEqual(["past", "shown"]);
});

test("a stored text that is damaged is never shown: the page has the text in code, and one line is in the log", async () => {
  const warned = vi.spyOn(log, "warn");
  const blocks = JSON.stringify([{ kind: "html", text: "<b>bold</b>" }]);
  await db()
    .insertInto("pageTexts")
    .values({ page: "about", version: 1, blocks, savedBy: "x", publishedAt: new Date(0) })
    .execute();
  for (const _ of [1, 2]) expect(await publishedText(db(), "about")).toBeUndefined();
  expect(await about()).toContain(ORIGINAL);
  const lines = warned.mock.calls.filter(([details]) => Object(details).page === "about");
  expect(lines).toEqual([[{ page: "about", version: 1 }, expect.stringContaining("cannot be read")]]);
  warned.mockRestore();
});

test("of two who publish at once one is told of the other, and the same text twice is one version", async () => {
  const done = await Promise.all([publish("One"), publish("Two"), publish("One")]);
  const [version, ...others] = await textVersions(db(), "about");
  expect(others).toEqual([]);
  const isOne = writeNotation(version?.blocks ?? []) === "One";
  expect(done.map(({ ok }) => ok)).toEqual([isOne, !isOne, isOne]);
  expect(done.find(({ ok }) => !ok)).toEqual({ ok: false, isStale: true, version: 1 });
});

test("each publishing is in the audit log, with its version and whose it was", async () => {
  await publish(OWN);
  await putBackText(db(), OWNER, "about", { version: 0, seen: 1 });
  const rows = await db()
    .selectFrom("auditLog")
    .select(["actor", "action", "after"])
    .where("subjectKind", "=", "page")
    .orderBy("id", "desc")
    .limit(2)
    .execute();
  expect(rows).toEqual([
    { actor: OWNER.name, action: "words set", after: { version: 2, asVersion: 0 } },
    { actor: OWNER.name, action: "words set", after: { version: 1 } },
  ]);
  expect(await textVersions(db(), "about")).toMatchObject([{ savedBy: OWNER.name }, { blocks: BLOCKS }]);
});
