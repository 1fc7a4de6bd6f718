import { describe, expect, test } from "vitest";
import { splitName } from "#app/account/display-name.ts";
import { beginSession } from "#app/account/session/store.server.ts";
import * as messages from "#app/messages.ts";
import { action as changeSettings } from "#app/routes/account.tsx";
import { action as register } from "#app/routes/register.tsx";
import { action as subscribe } from "#app/routes/subscribe.tsx";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { lagosForm, makeShopper } from "#tests/support/shop.ts";
import { cleanName, isPersonName, spaceInitials } from "./person-name.ts";

const NAMES = [
  "Ada",
  "Ngozi Chukwu-Obi",
  "O’Brien",
  "J. R. Smith",
  "St. John",
  "Sammy Jr.",
  "Ph.D",
  "Ẹ̀bùn",
  "李 小龙",
  "می‌خواهم",
  "Anne 3",
];
const NO_NAMES = [
  "http://evil.example",
  "HTTPS:evil",
  "see www.evil.example",
  "evil.example",
  "win at evil.co/prize",
  "ada@evil.example",
  "x.com",
  "evil。com",
  "evil．com",
  "evil\u200b.com",
  "xn--vil-bma.xn--p1ai",
  "пример.рф",
  "10.0.0.1",
  "ftp://files",
  "Ada\r\nBcc: eve",
  "Ada\tObi",
  "Ada\u0007",
  "Ada\u0085Obi",
  "Ada\u2028Obi",
  "\u202eadA",
];
const HIDDEN = ["hthttp:tp://evil", "wwwwww..evil", "evil.\u200bexample", "a.bb.cc.dd"];

test.each(NAMES)("“%s” is a name, and stays as it is", (name) => {
  expect([isPersonName(name), cleanName(name)]).toEqual([true, name]);
});

test.each([...NO_NAMES, ...HIDDEN.slice(2)])("%j is none", (text) => {
  expect(isPersonName(text)).toBe(false);
});

test.each([...NO_NAMES, ...HIDDEN])("Google's name %j is cleaned, and accepted", (text) => {
  const { firstName, lastName } = splitName(`Ada ${text}`);
  expect(firstName.startsWith("Ada")).toBe(true);
  expect([isPersonName(firstName), isPersonName(lastName), isPersonName(`${firstName} ${lastName}`)]).toEqual([
    true,
    true,
    true,
  ]);
});

test.each([
  ["A.Musa", "A. Musa"],
  ["St.John", "St. John"],
  ["O.J.Okafor", "O. J. Okafor"],
])("17 %s is the name %s, typed or from elsewhere", (typed, name) => {
  expect([spaceInitials(typed), cleanName(typed)]).toEqual([name, name]);
  expect(isPersonName(name)).toBe(true);
});

test.each(["x.com", "t.me/eve", "evil.example", "Evil.example", "Ph.D"])("17 %s gets no space", (text) => {
  expect(spaceInitials(text)).toBe(text);
});

describe.each(["evil.example", "Ada\nObi"])("the name %j is refused beside its field", (name) => {
  const database = useDatabase();
  const { notAName } = messages.form;
  const post = (path: string, fields: Record<string, string>, cookie = "") =>
    new Request(`http://localhost:3000${path}`, {
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams(fields),
    });
  const person = { firstName: "Ada", lastName: "Obi", email: "ada@example.com", password: "harmony" };

  test.each(["firstName", "lastName"])("when registering: %s", async (field) => {
    const request = post("/register", { ...person, [field]: name });
    const answer = await register({ request } as Parameters<typeof register>[0]);
    expect(answer).toMatchObject({ data: { errors: { [field]: notAName } }, init: { status: 400 } });
  });

  test.each(["firstName", "lastName"])("in the settings: %s", async (field) => {
    const { cookies } = await beginSession(post("/", {}), {
      ...(await makeShopper(database.db())),
      firstName: "",
      lastName: "",
    });
    const request = post("/account", { ...person, setting: "name", [field]: name }, cookies.join("; "));
    const answer = await changeSettings({ request } as Parameters<typeof changeSettings>[0]);
    expect(answer).toMatchObject({ data: { errors: { [field]: notAName } }, init: { status: 400 } });
  });

  test.each(["firstName", "lastName"])("in the shipping form: %s", (field) => {
    const rates = { states: [{ name: "Lagos" }], pickups: [], countries: [] };
    const form = new URLSearchParams({ ...lagosForm, [field]: name });
    expect(readShippingForm(form, rates)).toMatchObject({ ok: false, errors: { [field]: notAName } });
  });

  test("at the newsletter", async () => {
    const request = post("/subscribe", { ...person, firstName: name });
    const answer = await subscribe({ request } as Parameters<typeof subscribe>[0]);
    expect(answer).toMatchObject({ data: { ok: false, name: notAName }, init: { status: 400 } });
    expect(await database.db().selectFrom("subscriptions").selectAll().execute()).toEqual([]);
  });
});
