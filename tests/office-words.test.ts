vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readNotation } from "#app/content/notation.ts";
import { momentOf, typedMoment } from "#app/owner/shop-time.server.ts";
import { publishText, textVersions } from "#app/owner/texts/versions.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { OFFICE as BY } from "#tests/support/returns.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const ask = useOfficePages();
let cookies: string[];
let email: string;

beforeAll(async () => {
  ({ cookies, email } = await staffWithPasskey(db(), "catalogue"));
});
beforeEach(async () => {
  for (const table of ["pageTexts", "previews"] as const) await db().deleteFrom(table).execute();
});

const see = (query = "") => ask(`/words/about${query}`, cookies);
const press = (intent: string, form: Record<string, string>) => ask("/words/about", cookies, { intent, ...form });
const save = (text: string, form: Record<string, string> = {}) =>
  press("save", { text, at: "", press: "now", seen: "0", ...form });
const publish = (text: string, seen = 0) => publishText(db(), BY, "about", { blocks: readNotation(text), seen });
const textIn = ({ fields }: OfficePage, name: string) => fields.find((field) => field.name === name)?.value;
/** The text in the form, as a browser has it. */
const typedIn = ({ raw }: OfficePage) => /<textarea[^>]*>\n?([^<]*)<\/textarea>/.exec(raw)?.[1];
const versions = () => textVersions(db(), "about");
const IN_AN_HOUR = () => typedMoment(new Date(Date.now() + 3_600_000));

test("the list says of each page who changed it last, and the form begins with the text in code", async () => {
  expect((await ask("/words", cookies)).text).toMatch(/About .*\/about .*Never changed/);
  const page = await see();
  expect(typedIn(page)).toMatch(/^Ìrẹ́pọ̀ is Yoruba for harmony/);
  expect(typedIn(page)).toContain("\n\n# What we make\n\nJerseys and tees in sizes S to XXL, in colours");
  expect(page.text).toContain("The first text In the shop now");
  await save("Made in Lagos.");
  expect((await ask("/words", cookies)).text).toMatch(new RegExp(`About .*Published .*${email}`));
});

test("a preview shows the text as the shop will, and saves nothing", async () => {
  const shown = await save("# Where\n\nIn [our shop](/shop).\n- Lagos", { press: "preview" });
  expect(shown.status).toBe(422);
  expect(shown.text).toContain("Nothing is saved yet: this is how it will look.");
  expect(shown.raw).toContain(
    '<h2>Where</h2><p>In <a href="http://localhost:3000/shop" target="_blank" rel="noopener">',
  );
  expect(typedIn(shown)).toBe("# Where\n\nIn [our shop](/shop).\n- Lagos");
  expect(await versions()).toEqual([]);
});

test("a preview in the shop is a link that nobody else gets, and saves nothing", async () => {
  const shown = await save("Made in Lagos.", { press: "shop" });
  expect(shown.text).toContain("Nothing is saved yet. Open the preview within a minute: its link works once.");
  expect(shown.links.filter((link) => /^http:\/\/localhost:3000\/preview\/[\w-]{22}$/.test(link))).toHaveLength(1);
  expect(typedIn(shown)).toBe("Made in Lagos.");
  expect(await versions()).toEqual([]);
  const made = db().selectFrom("previews").select(["page", "draft", "madeBy"]);
  expect(await made.execute()).toEqual([{ page: "about", draft: readNotation("Made in Lagos."), madeBy: email }]);

  const { cookies: others } = await staffWithPasskey(db(), "orders");
  const form = { intent: "save", text: "Mine.", at: "", press: "shop", seen: "0" };
  expect((await ask("/words/about", others, form)).status).toBe(403);
  expect(await made.execute()).toHaveLength(1);
});

test("Enter in the field of the time shows a preview: nothing is published by mistake", async () => {
  const typed = await press("save", { text: "Made in Lagos.", at: IN_AN_HOUR(), seen: "0" });
  expect(typed.text).toContain("Nothing is saved yet");
  expect(typed.raw.indexOf('value="preview"')).toBeLessThan(typed.raw.indexOf('value="now"'));
});

test("a text is published, and is in the history with who and when, above the first one", async () => {
  const done = await save("# Where\n\nMade in Lagos.");
  expect([done.status, done.text]).toEqual([200, expect.stringContaining("Published. The shop shows it now.")]);
  expect(done.text).toMatch(new RegExp(`Version 1 .*In the shop now .*${email}, \\d+ blocks changed.*The first text`));
  expect(await versions()).toMatchObject([{ version: 1, savedBy: email, state: "shown" }]);
});

test("sent again, a publishing that was done adds no second version", async () => {
  for (const _ of [1, 2]) expect((await save("Made in Lagos.")).status).toBe(200);
  expect(await versions()).toHaveLength(1);
});

test("a text is published at a time of the shop's zone, and withdrawn", async () => {
  const at = IN_AN_HOUR();
  const planned = await save("Made in Lagos.", { press: "later", at });
  expect(planned.text).toContain(`Saved. The shop shows it from ${at.replace("T", " ")}.`);
  expect(planned.text).toContain("Version 1 is planned.");
  expect(await versions()).toMatchObject([{ state: "planned", publishedAt: momentOf(at) }]);
  expect((await ask("/words", cookies)).text).toMatch(/About .*From/);
  expect((await press("withdraw", {})).text).toContain("Withdrawn. The shop won’t show it.");
  expect(await versions()).toMatchObject([{ state: "withdrawn", publishedAt: null }]);
});

test.each<[string, Record<string, string>, string]>([
  [" \n ", {}, "Write something: the page would be empty."],
  ["x".repeat(20_001), {}, "At most 20,000 letters"],
  [`See ${"a".repeat(40)}`, {}, "“aaaaaaaaaaaaaaaaaaaa…” is too wide for a phone: at most 39 letters in a row."],
  ["[here](/colections)", {}, "The shop has no page /colections."],
  ["[here](/singleProduct/none)", {}, "The shop has no page /singleProduct/none."],
  ["[here](/collections/none)", {}, "The shop has no page /collections/none."],
  ["[here](/order/IR-7K3M-2Q)", {}, "The shop has no page /order/IR-7K3M-2Q."],
  ["[here](javascript:alert)", {}, "not “javascript:alert”"],
  ["[here](//evil.example)", {}, "not “//evil.example”"],
  ["Made in Lagos.", { press: "later" }, "Enter a day and a time"],
  ["Made in Lagos.", { press: "later", at: "2026-01-01T09:00" }, "That’s over. Enter a time to come"],
])("%j is refused beside its field, and nothing typed is lost", async (text, form, problem) => {
  for (const one of form.press ? [form] : [form, { press: "preview" }, { press: "shop" }]) {
    const refused = await save(text, one);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(problem);
    expect(typedIn(refused)?.trim()).toBe(text.trim());
    expect(textIn(refused, "at") ?? "").toBe(form.at ?? "");
  }
  expect(await versions()).toEqual([]);
  expect(await db().selectFrom("previews").select("page").execute()).toEqual([]);
});

test("a policy refuses a time that the shop doesn't act by, and About has any", async () => {
  const said = (page: string) =>
    ask(`/words/${page}`, cookies, { intent: "save", text: "Within 30 days.", at: "", press: "now", seen: "0" });
  expect((await said("returns")).text).toContain(
    "“30 days” isn’t what the shop goes by: 14 days, 7 business days, and 48 hours.",
  );
  expect((await said("about")).status).toBe(200);
});

test("links to pages, products and collections that the shop has are published", async () => {
  const id = await makeProduct(db(), { M: 1 });
  await db().insertInto("collections").values({ id, name: "Owambe", hidden: false, position: 1 }).execute();
  const links = ["/", "/shop?kind=tees", "/account#settings", `/singleProduct/${id}`, `/collections/${id}`];
  const done = await save(links.map((to) => `[here](${to}) and [there](https://example.com${to})`).join("\n\n"));
  expect(done.status).toBe(200);
  await db().updateTable("products").set({ hidden: true }).where("id", "=", id).execute();
  expect((await save(`Hidden: [here](/singleProduct/${id})`, { seen: "1" })).status).toBe(422);
});

test("of two members the later one sees the other's text, keeps what was typed, and may publish again", async () => {
  await publish("Theirs, with [a link](/shop)");
  const refused = await save("Mine");
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Somebody else has changed this text.");
  expect(refused.text).toContain("Theirs, with [a link](/shop)");
  expect(typedIn(refused)).toBe("Mine");
  expect(await versions()).toHaveLength(1);
  const seen = textIn(refused, "seen") ?? "";
  expect((await save("Mine", { seen })).text).toContain("Published.");
  expect(await versions()).toMatchObject([{ blocks: readNotation("Mine"), state: "shown" }, { state: "past" }]);
});

test("an older version is looked at and put back as a new one; so is the first text", async () => {
  for (const [seen, text] of ["One", "Two"].entries()) await publish(text, seen);
  expect((await see("?version=1")).raw).toContain("<p>One</p>");
  const back = await press("put-back", { version: "1", seen: "2" });
  expect(back.text).toContain("Put back. The shop shows it now.");
  expect(typedIn(back)).toBe("One");
  expect(await versions()).toMatchObject([{ version: 3, blocks: readNotation("One"), state: "shown" }, {}, {}]);
  const first = await press("put-back", { version: "0", seen: "3" });
  expect(typedIn(first)).toMatch(/^Ìrẹ́pọ̀/);
  expect(first.text).toContain("Version 4 In the shop now");
});

test("what can’t be put back says why: somebody has published meanwhile, its page is gone, it is damaged", async () => {
  const id = await makeProduct(db(), { M: 1 });
  await publish(`[Here](/singleProduct/${id})`);
  await publish("Two", 1);
  expect((await press("put-back", { version: "1", seen: "1" })).text).toContain(
    "Somebody else has changed this text. Nothing was saved.",
  );
  await db().updateTable("products").set({ hidden: true }).where("id", "=", id).execute();
  expect((await press("put-back", { version: "1", seen: "2" })).text).toContain("The shop has no page");
  await db().updateTable("pageTexts").set({ blocks: "{}" }).where("version", "=", 1).execute();
  expect((await press("put-back", { version: "1", seen: "2" })).text).toContain("Version 1 is damaged");
  expect((await press("put-back", { version: "9", seen: "2" })).text).toContain("There’s no version 9");
  expect(await versions()).toHaveLength(2);
});

test("a page that isn’t there has no form", async () => {
  expect((await ask("/words/home", cookies)).status).toBe(404);
  expect((await ask("/words/home", cookies, { intent: "withdraw" })).status).toBeGreaterThanOrEqual(400);
});
