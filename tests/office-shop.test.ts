vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import type { ShopValueName, ShopValues } from "#app/owner/shop/settings.ts";
import { momentOf } from "#app/owner/shop-time.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { OFFICE as BY } from "#tests/support/returns.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const pageAt = useOfficePages();
let cookies: string[];

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "catalogue"));
});
afterEach(() => db().deleteFrom("shopSettings").execute());

/** The form as a browser without script would send it: with all values that it shows. */
async function shownForm(): Promise<Record<string, string>> {
  const { sender } = await shopValues(db());
  const { fields } = await pageAt("/shop", cookies);
  return { sender, ...Object.fromEntries(fields.map(({ name = "", value = "" }) => [name, value])) };
}
const save = (form: Record<string, string>) => pageAt("/shop", cookies, form);
/** Somebody else saves this value. */
const theirs = async (name: ShopValueName, value: string | number | boolean | null) =>
  changeShop(db(), BY, { [name]: value } as Partial<ShopValues>, await shopValues(db()));

const changesSince = (id: string) =>
  db().selectFrom("auditLog").select(["action", "before", "after"]).where("id", ">", id).orderBy("id").execute();
async function lastChange(): Promise<string> {
  const row = await db().selectFrom("auditLog").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? "0";
}

const stored = (moment: string) => momentOf(moment)?.toJSON() ?? null;
const MINE: [name: ShopValueName, typed: string, stored: string | number | null][] = [
  ["notice", " Closed on Monday", "Closed on Monday"],
  ["noticeFrom", "2026-12-01T09:00", stored("2026-12-01T09:00")],
  ["noticeUntil", "2026-12-08T09:00", stored("2026-12-08T09:00")],
  ["sizeLimit", "7", 7],
  ["staffShare", " 40", 40],
  ["email", "Help@Shop.example", "help@shop.example"],
  ["whatsapp", "00234 803 123 4568", "+2348031234568"],
  ["instagramUrl", "https://instagram.example/mine", "https://instagram.example/mine"],
  ["xUrl", "https://x.example/mine ", "https://x.example/mine"],
  ["sender", "Irepo \r\n\r\n12 Allen Avenue", "Irepo\n12 Allen Avenue"],
  ["senderPhone", "+234 803 123 4568", "+2348031234568"],
  ["carriers", "GIG  https://gig.example/{number} \r\n", "GIG https://gig.example/{number}"],
  ["returnDays", " 30", 30],
  ["damageHours", "72", 72],
  ["refundDays", "5", 5],
  ["packFrom", "1", 1],
  ["packTo", "4", 4],
  ["nigeriaFrom", "2", 2],
  ["nigeriaTo", "9", 9],
  ["abroadFrom", "8", 8],
  ["abroadTo", "21", 21],
];
const THEIRS: ShopValues = {
  notice: "Open on Monday",
  noticeFrom: "2026-12-02T00:00:00.000Z",
  noticeUntil: "2026-12-09T00:00:00.000Z",
  sizeLimit: 8,
  staffShare: 50,
  email: "theirs@shop.example",
  whatsapp: "+2348000000000",
  instagramUrl: "https://instagram.example/theirs",
  xUrl: "https://x.example/theirs",
  sender: "Theirs",
  senderPhone: "+2348000000000",
  carriers: "DHL https://dhl.example/{number}",
  cardFor: "model",
  cashRounding: "none",
  othersPay: "yes",
  shopName: null,
  wordmark: null,
  tagline: null,
  footerLine: null,
  returnDays: 60,
  damageHours: 96,
  refundDays: 10,
  packFrom: 0,
  packTo: 6,
  nigeriaFrom: 4,
  nigeriaTo: 8,
  abroadFrom: 9,
  abroadTo: 20,
};

describe.each(MINE)("%s", (name, typed, mine) => {
  test("is changed alone by a form with all values, and one row of the log names it alone", async () => {
    const [before, since] = [await shopValues(db()), await lastChange()];
    const { text } = await save({ ...(await shownForm()), [name]: typed });
    expect(text).toContain("Saved. The shop shows it now.");
    expect(await shopValues(db())).toEqual({ ...before, [name]: mine });
    const change = { action: "shop set", before: { [name]: before[name] }, after: { [name]: mine } };
    expect(await changesSince(since)).toEqual([change]);
  });

  test("that somebody else has changed stays theirs if nobody typed here, and all others are saved", async () => {
    const form = await shownForm();
    await theirs(name, THEIRS[name]);
    const since = await lastChange();
    const [other, text, value] = MINE.find(([one]) => one !== name && !one.startsWith("notice")) ?? [];
    expect((await save({ ...form, [String(other)]: String(text) })).text).toContain("Saved. The shop shows it now.");
    expect(await shopValues(db())).toMatchObject({ [name]: THEIRS[name], [String(other)]: value });
    expect(await changesSince(since)).toMatchObject([{ after: { [String(other)]: value } }]);
  });

  test("that somebody else has changed and that was typed here is refused with all others", async () => {
    const form = await shownForm();
    await theirs(name, THEIRS[name]);
    const [before, since] = [await shopValues(db()), await lastChange()];
    const all = Object.fromEntries(MINE.map(([one, text]) => [one, text]));
    const { status, text } = await save({ ...form, ...all });
    expect([status, text]).toEqual([422, expect.stringContaining("Somebody else has changed this meanwhile: ")]);
    expect(await shopValues(db())).toEqual(before);
    expect(await changesSince(since)).toEqual([]);
  });

  test("that both have changed in the same way is no conflict", async () => {
    const form = await shownForm();
    await theirs(name, mine);
    expect((await save({ ...form, [name]: typed })).text).toContain("Nothing to change.");
  });
});

test("the answer to a save has the values that it stored, without those that only others have changed", async () => {
  const form = await shownForm();
  const versionAfter = async (typed: Record<string, string>) => {
    const { raw } = await pageAt("/shop.data", cookies, { ...form, ...typed });
    return raw.includes(`"version",${JSON.stringify((await shownForm()).was)}`);
  };
  expect(await versionAfter({ notice: " Closed on Monday" })).toBe(true);
  await theirs("sizeLimit", 8);
  expect(await versionAfter({ notice: "Closed on Monday", xUrl: "https://x.example/mine" })).toBe(false);
});

test.each([
  ["notice", "x".repeat(121), "At most 120 letters"],
  ["noticeFrom", "2026-02-31T09:00", "Enter a day and a time"],
  ["noticeUntil", "soon", "Enter a day and a time"],
  ["sizeLimit", "0", "A number from 1 on, like 10"],
  ["staffShare", "101", "A whole number from 1 to 100"],
  ["email", "ada@", "That isn’t an email address"],
  ["whatsapp", "12", "A number with + and its country’s code"],
  ["instagramUrl", "http://instagram.example", "An address that begins with https://"],
  ["sender", "1\n2\n3\n4\n5", "At most 4 lines"],
  ["senderPhone", "twelve", "A number with + and its country’s code"],
  ["carriers", "GIG https://gig.example/", "“GIG https://gig.example/”: a name, and an address like"],
  ["returnDays", "6", "A whole number from 7 to 365"],
  ["damageHours", "many", "A whole number from 24 to 720"],
  ["refundDays", "31", "A whole number from 1 to 30"],
  ["packFrom", "-1", "A whole number from 0 to 29"],
  ["packTo", "2", "More than 2, the days at least"],
  ["abroadTo", "61", "A whole number from 1 to 60"],
  ["cardFor", "size", "Choose one of the two"],
  ["cashRounding", "up", "Choose one of the two"],
  ["othersPay", "perhaps", "Choose one of the two"],
])("a wrong %s is told beside its field, and nothing else is saved", async (name, typed, problem) => {
  const before = await shopValues(db());
  const { status, text } = await save({ ...(await shownForm()), xUrl: "https://x.example", [name]: typed });
  expect([status, text]).toEqual([422, expect.stringContaining(problem)]);
  expect(await shopValues(db())).toEqual(before);
});

test("lists have a card for what was chosen, which the form then shows, and two members who choose the same are no conflict", async () => {
  const form = await shownForm();
  const since = await lastChange();
  expect((await save({ ...form, cardFor: "model" })).text).toContain("Saved. The shop shows it now.");
  expect(await changesSince(since)).toEqual([
    { action: "shop set", before: { cardFor: "color" }, after: { cardFor: "model" } },
  ]);
  expect((await save({ ...form, cardFor: "model" })).text).toContain("Nothing to change.");
  expect((await pageAt("/shop", cookies)).raw).toMatch(/<option value="model" selected="">/);
});

test("cash is rounded down until that is switched off, which the form then shows", async () => {
  const form = await shownForm();
  expect((await pageAt("/shop", cookies)).raw).toMatch(/<option value="down" selected="">/);
  const since = await lastChange();
  expect((await save({ ...form, cashRounding: "none" })).text).toContain("Saved. The shop shows it now.");
  expect(await changesSince(since)).toEqual([
    { action: "shop set", before: { cashRounding: "down" }, after: { cashRounding: "none" } },
  ]);
  expect((await pageAt("/shop", cookies)).raw).toMatch(/<option value="none" selected="">/);
});

test("that somebody else may pay is off until the owner switches it on, and the log names it", async () => {
  const form = await shownForm();
  const since = await lastChange();
  expect((await shopValues(db())).othersPay).toBe("no");
  expect((await save({ ...form, othersPay: "yes" })).text).toContain("Saved. The shop shows it now.");
  expect(await changesSince(since)).toEqual([
    { action: "shop set", before: { othersPay: "no" }, after: { othersPay: "yes" } },
  ]);
  expect((await pageAt("/shop", cookies)).raw).toMatch(/<option value="yes" selected="">/);
  expect((await save({ ...(await shownForm()), othersPay: "no" })).text).toContain("Saved. The shop shows it now.");
  expect((await shopValues(db())).othersPay).toBe("no");
});

test("a notice that would end before it starts is told beside its end, also if somebody else has set its start", async () => {
  const form = await shownForm();
  await theirs("noticeFrom", THEIRS.noticeFrom);
  const { status, text } = await save({ ...form, noticeUntil: "2026-12-01T09:00" });
  expect([status, text]).toEqual([422, expect.stringContaining("It ends before it starts")]);
  expect(await shopValues(db())).toMatchObject({ noticeUntil: null });
});

test("a stored value that the form would refuse is in nobody’s way until it is typed into", async () => {
  const notice = "x".repeat(200);
  await db().insertInto("shopSettings").values({ notice }).execute();
  expect((await save({ ...(await shownForm()), sizeLimit: "7" })).text).toContain("Saved. The shop shows it now.");
  expect(await shopValues(db())).toMatchObject({ notice, sizeLimit: 7 });
  expect((await save({ ...(await shownForm()), notice: `${notice}y` })).status).toBe(422);
});
