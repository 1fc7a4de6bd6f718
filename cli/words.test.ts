import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { describeText, TEXT_NAMES } from "#app/owner/texts/texts.server.ts";
import { textVersions } from "#app/owner/texts/versions.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const db = () => database.db();
const say = (...line: string[]) => command(db(), line);
const folder = mkdtempSync(path.join(tmpdir(), "irepo-words-"));

beforeEach(() => db().deleteFrom("pageTexts").execute());

function file(text: string): string {
  const at = path.join(folder, "words.txt");
  writeFileSync(at, text);
  return at;
}

test("a text is printed, changed in a file and published", async () => {
  const { text } = await say("words", "show", "about");
  expect(text).toMatch(/^Ìrẹ́pọ̀ is Yoruba for harmony.*\n\n.*\n\n# What we make\n/);
  expect(await say("words", "set", "about", file(`${text}\n\n- Made in Lagos\r\n`))).toMatchObject({
    code: 0,
    text: "About has version 1 now.",
  });
  expect(await say("words", "show", "about")).toMatchObject({
    data: { version: 1, text: `${text}\n\n- Made in Lagos` },
  });
});

test("publishing a printed text again makes no new version", async () => {
  for (const page of TEXT_NAMES) {
    const { text } = await say("words", "show", page);
    expect(await say("words", "set", page, file(text))).toMatchObject({ code: 0, data: { page, version: 0 } });
  }
  expect(await textVersions(db(), "about")).toEqual([]);
});

test.each([
  [["set", "home", file("Hello")], "There’s no text 'home'. Choose one of about, returns, shipping, privacy"],
  [["set", "about", path.join(folder, "none.txt")], "can't be read"],
  [["show", "home"], "There’s no text 'home'"],
])("words %j is refused", async (line, problem) => {
  expect(await say("words", ...line)).toMatchObject({ code: 2, text: expect.stringContaining(problem) });
});

test.each([
  ["", "Write something"],
  ["[here](/none)", "The shop has no page /none."],
  ["a".repeat(20_001), "At most 20,000 letters."],
])("the text %j is refused with its problem, and nothing is changed", async (text, problem) => {
  const refused = await say("words", "set", "about", file(text));
  expect(refused).toMatchObject({ code: 2, text: expect.stringMatching(/^Nothing was changed\.\n/) });
  expect(refused.text).toContain(problem);
  expect(await textVersions(db(), "about")).toEqual([]);
});

test("a planned text is listed, and can be published at once", async () => {
  const planned = await say("words", "set", "about", file("Made in Lagos."), "--at", "2126-12-01T09:00");
  expect(planned).toMatchObject({ code: 0, text: "About will have version 1 from 2126-12-01 09:00 on." });
  expect((await say("words", "list")).text.split("\n")).toEqual([
    "about  the shop’s own text  version 1 from 2126-12-01 09:00 on",
    ...TEXT_NAMES.slice(1).map((page) =>
      [page, ...(page.startsWith("message-") ? [describeText(page).title] : []), "the shop’s own text"].join("  "),
    ),
  ]);
  expect(await say("words", "publish", "about")).toMatchObject({ code: 0, text: "About has version 1 now." });
  expect(await say("words", "show", "about")).toMatchObject({ text: "Made in Lagos." });
  const [row] = (await say("words", "list")).data as object[];
  expect(row).toMatchObject({ page: "about", version: 1, savedBy: "bola" });
  expect(row).not.toHaveProperty("planned");
  expect(await say("words", "publish", "about")).toMatchObject({ code: 2 });
});

test("the text of an email is published, shown and taken back", async () => {
  const { text: own } = await say("words", "show", "email-password-changed");
  expect(own).toMatch(/^Hello \{first name\}, your password was changed/);
  const refused = await say("words", "set", "email-password-changed", file("Hi {name}"));
  expect(refused).toMatchObject({ code: 2, text: expect.stringContaining("This email has no {name}.") });
  expect(await say("words", "set", "email-password-changed", file("Hi {first name}"))).toMatchObject({
    code: 0,
    text: "Password changed has version 1 now.",
  });
  await say("words", "undo", "email-password-changed");
  expect(await say("words", "show", "email-password-changed")).toMatchObject({ data: { version: 2, text: own } });
});

test("the subject of an email is published with its text, printed and taken back", async () => {
  const name = "email-password-changed";
  const printed = async () => (await say("words", "show", name, "--subject")).text;
  const set = (page: string, subject: string) =>
    say("words", "set", page, file("Hi {first name}"), "--subject", subject);
  expect(await printed()).toBe("Your password was changed");
  expect(await set(name, "Hi {name}")).toMatchObject({
    code: 2,
    text: "Nothing was changed.\nThis subject can’t have {name}. It can have {first name}.",
  });
  expect(await set("about", "Hello")).toMatchObject({ code: 2, text: expect.stringContaining("About is no email.") });
  await set(name, " New password,\n{first name}? ");
  expect(await printed()).toBe("New password, {first name}?");
  await say("words", "set", name, file("Hello {first name}"));
  expect(await say("words", "show", name)).toMatchObject({
    data: { version: 2, subject: "New password, {first name}?", text: "Hello {first name}" },
  });
  await say("words", "undo", name);
  await say("words", "set", name, file("Hi {first name}"), "--subject", "Your password was changed");
  expect(await printed()).toBe("Your password was changed");
  expect(await say("words", "show", "about", "--subject")).toMatchObject({ code: 2 });
});

test("undo publishes the text from before as a new version, or the shop's own text before the first version", async () => {
  const { text: own } = await say("words", "show", "about");
  expect(await say("words", "undo", "about")).toMatchObject({
    code: 2,
    text: "Nothing was changed.\nAbout has the shop’s own text.",
  });
  await say("words", "set", "about", file("Made in Lagos."));
  await say("words", "set", "about", file("Made in Aba."));
  expect(await say("words", "undo", "about")).toMatchObject({ code: 0, text: "About has version 3 now." });
  expect(await say("words", "show", "about")).toMatchObject({ text: "Made in Lagos." });
  await db().deleteFrom("pageTexts").where("version", ">", 1).execute();
  await say("words", "undo", "about");
  expect(await say("words", "show", "about")).toMatchObject({ text: own });
});

test.each([
  ["tomorrow", "is no time like"],
  ["2020-01-01T09:00", "has passed"],
])("a text can't be planned for %s", async (time, problem) => {
  const refused = await say("words", "set", "about", file("Made in Lagos."), "--at", time);
  expect(refused).toMatchObject({ code: 2, text: expect.stringContaining(problem) });
  expect(await textVersions(db(), "about")).toEqual([]);
});
