vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { readNotation } from "#app/content/notation.ts";
import { followOwnMessages, ownMessages } from "#app/content/own-messages.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import type { TextName } from "#app/owner/texts/texts.server.ts";
import { publishText, textVersions } from "#app/owner/texts/versions.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);
const ask = useOfficePages();
const SOLD_OUT = "message-cartOther.soldOut";
const REQUIRED = "message-form.required";

let cookies: string[];
let staff: string;

beforeAll(async () => {
  ({ cookies, email: staff } = await staffWithPasskey(db(), "catalogue"));
});
afterEach(async () => {
  await db().deleteFrom("pageTexts").execute();
  await followOwnMessages(db);
});

const save = (text: string, form: Record<string, string> = {}, name = SOLD_OUT) =>
  ask(`/words/${name}`, cookies, { intent: "save", text, at: "", press: "now", seen: "0", ...form });
const publish = (name: string, text: string) =>
  publishText(db(), OWNER, name as TextName, { blocks: readNotation(text) });
const put = async () => ownMessages(await shopSettings(db()));

async function page(at: string, form?: Record<string, string>): Promise<string> {
  const origin = "http://localhost:3000";
  const answer = await fetch(`http://127.0.0.1:${shop().port}${at}`, {
    ...(form && { method: "POST", body: new URLSearchParams(form) }),
    headers: { host: "localhost:3000", origin },
  });
  return await answer.text();
}

test("the list has the messages by topic, finds them by their words, and shows as locked those that stay", async () => {
  const { text, links } = await ask("/words", cookies);
  expect(text).toMatch(
    /Messages .*Logging in \d+ .*A new password \d+ .*Cart \d+ .*Sold out: not in your total\. .*These stay as they are/,
  );
  for (const stays of ["Login failed", ", you paid", "That’s not the code. You have {tries} tries left."])
    expect(text).toContain(`${stays} Locked`);
  expect(text).toContain("You’re number {number}; {wait} Locked");
  expect(text).not.toContain(messages.preview.refused);
  expect(links).toContain(`/words/${SOLD_OUT}`);
  await publish(SOLD_OUT, "Gone: not in your total.");
  for (const words of ["GONE", "sold out:"]) {
    const found = await ask(`/words?q=${encodeURIComponent(words)}`, cookies);
    expect(found.text).toContain("Gone: not in your total. Published At first: Sold out: not in your total.");
    expect(found.text).not.toContain("Login failed");
  }
  expect((await ask("/words?q=nowhere", cookies)).text).toContain("No message has these words.");
});

test("a message is published, is in the history, and is put back", async () => {
  expect((await ask(`/words/${SOLD_OUT}`, cookies)).text).toContain(
    "Message · Cart · At first: Sold out: not in your total.",
  );
  const shown = await save("Gone.", { press: "preview" });
  expect([shown.text, await put()]).toEqual([expect.stringContaining("Nothing is saved yet"), undefined]);
  const done = await save("Gone.");
  expect(done.text).toContain("Published. The shop shows it now.");
  expect(done.text).toMatch(new RegExp(`Version 1 .*In the shop now .*${staff}, 1 block changed.*The first text`));
  expect(await put()).toEqual({ "cartOther.soldOut": "Gone." });
  const back = await ask(`/words/${SOLD_OUT}`, cookies, { intent: "put-back", version: "0", seen: "1" });
  expect(back.text).toContain("Put back. The shop shows it now.");
  expect(await put()).toBeUndefined();
  expect(await textVersions(db(), SOLD_OUT)).toHaveLength(2);
});

test("values have names, which stay text", async () => {
  await publish(REQUIRED, "We need your {field}: your {field}!");
  expect(await put()).toEqual({ "form.required": "We need your {0}: your {0}!" });
});

test.each([
  ["", "Write something: the message would be empty."],
  ["# Required {field}", "Write one paragraph, without headings and lists."],
  ["- {field}", "Write one paragraph, without headings and lists."],
  ["{field}\n\nOne more", "Write one paragraph, without headings and lists."],
  [`{field} ${"more ".repeat(60)}`, "At most 300 letters."],
  [`{field} ${"a".repeat(40)}`, "“aaaaaaaaaaaaaaaaaaaa…” is too wide for a phone: at most 39 letters in a row."],
  ["{field}, see [here](/shop)", "A message can’t have a link."],
  ["{field} {label}", "This message can’t fill in {label}. It has {field}."],
  ["{field} {email}", "This message can’t fill in {email}."],
  ["This is needed.", "Put {field} somewhere: it’s said nowhere else."],
])("%j is refused beside its field", async (text, problem) => {
  for (const press of ["now", "preview", "shop"]) {
    const refused = await save(text, { press }, REQUIRED);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(problem)]);
  }
  expect(await put()).toBeUndefined();
});

test.each(["message-login.failed", "message-preview.over", "message-deletion.kept", "message-none"])(
  "%s is no text that can be changed",
  async (name) => {
    expect((await ask(`/words/${name}`, cookies)).status).toBe(404);
    expect((await save("Mine.", {}, name)).status).toBeGreaterThanOrEqual(400);
    const file = path.join(mkdtempSync(path.join(tmpdir(), "irepo-message-")), "text.txt");
    writeFileSync(file, "Mine.");
    expect(await command(db(), ["words", "set", name, file])).toMatchObject({ code: 2 });
    expect(await db().selectFrom("pageTexts").select("page").execute()).toEqual([]);
  },
);

test("a role without the permission changes no message", async () => {
  const { cookies: others } = await staffWithPasskey(db(), "orders");
  expect((await ask(`/words/${SOLD_OUT}`, others)).status).toBe(403);
  const form = { intent: "save", text: "Mine.", at: "", press: "now", seen: "0" };
  expect((await ask(`/words/${SOLD_OUT}`, others, form)).status).toBe(403);
});

test("a form is refused in the owner's words, and a page has these with its data, only while there are some", async () => {
  const before = await page("/about");
  expect(before).not.toContain("form.required");
  const registered = () => page("/register", { firstName: "Ada" });
  expect(await registered()).toContain("Please enter your last name.");
  await publish(REQUIRED, "We need your {field}.");
  await followOwnMessages(db);
  expect(await registered()).toContain("We need your last name.");
  await vi.waitFor(async () => expect(await page("/about")).toContain("We need your {0}."));
  await publish(REQUIRED, "Please enter your {field}.");
  await followOwnMessages(db);
  expect(await registered()).toContain("Please enter your last name.");
  await vi.waitFor(async () => expect(await page("/about")).not.toContain("form.required"));
});

test("a stored message that can't be used is left out, and its sentence in code stays", async () => {
  const insert = (name: string, blocks: unknown) =>
    db()
      .insertInto("pageTexts")
      .values({ page: name, version: 1, blocks: JSON.stringify(blocks), savedBy: "x", publishedAt: new Date(1) })
      .execute();
  await insert("message-cartOther.gone", [{ kind: "paragraph", text: "Gone" }]);
  await insert("message-login.failed", [{ kind: "paragraph", text: "Gone" }]);
  await insert(REQUIRED, [{ kind: "paragraph", text: "{shoe size}" }]);
  await insert(SOLD_OUT, {});
  expect(await put()).toBeUndefined();
  expect(await page("/about")).toContain("Irepo");
});
