import { expect, test } from "vitest";
import { plainText, typedText } from "#app/infra/text/typed-text.ts";
import { action as login } from "#app/routes/login.tsx";
import { action as register } from "#app/routes/register.tsx";
import { action as subscribe } from "#app/routes/subscribe.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { postedForm } from "../office/http/form.server.ts";

const { db } = useDatabase();
const post = (path: string, fields: Record<string, string>) => ({
  request: new Request(`http://localhost:3000${path}`, { method: "POST", body: new URLSearchParams(fields) }),
});

test.each([
  ["\u202aAda\u202c \u2068Obi\u2069", "Ada Obi"],
  ["Ada\u200b\u2060\ufeff\u00ad\u0007 Obi\u0085", "Ada Obi"],
  ["one\r\ntwo\tthree", "one\r\ntwo\tthree"],
  ["می‌خواهم", "می‌خواهم"],
  ["क्‍ष", "क्‍ष"],
  ["Ada\u200d", "Ada"],
  ["1\u200d2\u200c", "12"],
  ["👩🏽‍🚀 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩🏽‍🚀 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ["a\ufe0d1\ufe0f\u{e0067}\u{e0062}", "a1"],
  ["Ẹ̀bùn".normalize("NFD"), "Ẹ̀bùn".normalize("NFD")],
])("16 %j is read as %j", (typed, text) => {
  expect(typedText(typed)).toBe(text);
});

test.each([
  ["１２\u200b３", "123"],
  ["٤٥۶", "456"],
  ["12‑34−56", "12-34-56"],
  ["０x１０", "0x10"],
])("16 the number %j is read as %s", (typed, text) => {
  expect(plainText(typed)).toBe(text);
});

test("16 who registers with copied names and address has them without what nobody sees, and the password as it was typed", async () => {
  const person = { firstName: "\u2068Ada\u2069", lastName: "O.J.Okafor", email: "\u202aada@example.com\u202c" };
  const password = "har\u200bmony\u202c";
  await register(post("/register", { ...person, password }) as Parameters<typeof register>[0]).catch(() => {});
  const user = await db().selectFrom("users").select(["firstName", "lastName", "email"]).executeTakeFirstOrThrow();
  expect(user).toEqual({ firstName: "Ada", lastName: "O. J. Okafor", email: "ada@example.com" });
  await db().updateTable("users").set({ emailVerified: true }).execute();
  const signIn = (email: string, typed: string) =>
    login(post("/login", { email, password: typed }) as Parameters<typeof login>[0]).then(
      (answer) => answer,
      (thrown) => thrown,
    );
  expect(await signIn("ada@example.com\u200b", "harmony")).not.toBeInstanceOf(Response);
  expect(await signIn("ada@example.com\u200b", password)).toBeInstanceOf(Response);
});

test("16 a subscriber's name and address are stored so, too", async () => {
  const typed = { firstName: "\u200eA.Musa", email: "musa\u200b@example.com" };
  await subscribe(post("/subscribe", typed) as Parameters<typeof subscribe>[0]).catch(() => {});
  const rows = await db().selectFrom("subscriptions").select(["firstName", "email"]).execute();
  expect(rows).toEqual([{ firstName: "A. Musa", email: "musa@example.com" }]);
});

test("16 the office's forms are read so, but for passwords", async () => {
  const { request } = post("/", { title: "\u202aTee\u202c\nTwo", password: "a\u200bb", newPassword: "c\u200bd" });
  expect([...(await postedForm(request))]).toEqual([
    ["title", "Tee\nTwo"],
    ["password", "a\u200bb"],
    ["newPassword", "c\u200bd"],
  ]);
});
