vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { subscribe } from "#app/newsletter/newsletter.server.ts";
import { addNote } from "#app/owner/orders/notes.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OFFICE } from "#tests/support/returns.ts";
import { useApps } from "./apps.ts";
import { type Case, paramsOf, QUERY_NAMES } from "./cases.ts";
import { type Door, doorsOf } from "./doors.ts";
import { type ParsedPage, parsePage } from "./html.ts";
import { PAYLOADS } from "./payloads.ts";
import { send } from "./send.ts";
import { expectText, says } from "./shown.ts";
import { typeEverywhere, typeIntoProduct } from "./typed.ts";
import { newWorld, type Who, type World } from "./world.ts";

// FUZZ_CASES: beyond the usual number every payload is alone in its place; else some stand beside each other, and all in one text.
const IS_LONG = Number(process.env.FUZZ_CASES ?? 0) > 10_000;
const TOGETHER = IS_LONG ? 1 : 24;
const GROUPS = Array.from({ length: Math.ceil(PAYLOADS.length / TOGETHER) }, (_, at) =>
  PAYLOADS.slice(at * TOGETHER, (at + 1) * TOGETHER).join(" "),
);
const HARMLESS = "Harmless";

const checkout = useCheckout();
const { db } = checkout;
const apps = useApps(checkout.url, { keepsPages: false });
let world: World;
let doors: Door[];

beforeAll(async () => {
  world = await newWorld(checkout);
  doors = [...(await doorsOf("shop")), ...(await doorsOf("office"))];
  await addNote(db(), OFFICE, world.names.reference, { id: crypto.randomUUID(), text: HARMLESS });
  await subscribe(db(), HARMLESS, "ada@example.com");
  // A long run takes longer than a sign-in counts as new, and pages of staff say when it does no more.
  await db().updateTable("staffSessions").set({ createdAt: sql`now() + interval '1 day'` }).execute();
});

/** What stands for a part of an address so that there is such a page. */
function nameIn(path: string, param: string): string {
  if (path.startsWith("/customers")) return "{{customer}}";
  if (path.startsWith("/returns")) return "{{return}}";
  return { id: "{{product}}", reference: "{{reference}}", number: "{{number}}" }[param] ?? "{{uuid}}";
}

function request({ app, path: door, method }: Door, who: Who, more: Partial<Case> = {}): Case {
  const parts = door.split("/").slice(1);
  const named = parts.map((part) => paramsOf(part).map((name) => nameIn(door, name))[0] ?? part);
  return { app, method, door, parts: named, scripted: false, query: [], who, headers: {}, ...more };
}

const isAnswered = (status: number) => status > 0 && status < 500;

/** A page as it was answered; undefined for what is no page. */
async function pageAt(one: Case): Promise<ParsedPage | undefined> {
  const { status, headers, text } = await send(one, apps[one.app](), world, "203.0.113.7");
  expect(status, `${one.app} ${one.door}: ${text.slice(0, 300)}`).toSatisfy(isAnswered);
  return headers["content-type"]?.startsWith("text/html") ? parsePage(text) : undefined;
}

/** The same page, for what was typed now: it says so as text. Where it is refused nothing of it is shown. */
async function expectTextAt(one: Case, usual: ParsedPage, typed: string): Promise<void> {
  const page = await pageAt(one);
  if (page) expectText(page, usual, `${one.app} ${one.door}: ${typed.slice(0, 300)}`);
}

/** Of these the pages that show the harmless word. */
async function pagesThatShow(asked: Case[]): Promise<Map<Case, ParsedPage>> {
  const pages = new Map<Case, ParsedPage>();
  for (const one of asked) {
    const page = await pageAt(one);
    if (page && says(page, HARMLESS)) pages.set(one, page);
  }
  return pages;
}

const namesOf = (pages: Map<Case, ParsedPage>) => [
  ...new Set([...pages.keys()].map(({ app, door }) => `${app} ${door}`)),
];
const visitorsOf = ({ app }: Door): Who[] => (app === "shop" ? ["buyer", "shopper"] : ["owner"]);

describe("what somebody typed is text", () => {
  test("on every page that shows what is kept", { timeout: 0 }, async () => {
    // As often as a list needs to lead to older rows, where so many are typed.
    for (let at = 0; at < (IS_LONG ? 60 : 1); at++) await typeEverywhere(db(), HARMLESS);
    const asked = doors.filter(({ method }) => method === "GET");
    const pages = await pagesThatShow(asked.flatMap((door) => visitorsOf(door).map((who) => request(door, who))));
    expect(namesOf(pages).length).toBeGreaterThan(50);
    for (const typed of GROUPS) {
      await typeEverywhere(db(), typed);
      for (const [one, usual] of pages) await expectTextAt(one, usual, typed);
    }
  });

  test("on a product's pages, each payload alone", { timeout: 0 }, async () => {
    const asked = [
      request({ app: "shop", method: "GET", path: "/singleProduct/:id" }, "nobody"),
      request({ app: "office", method: "GET", path: "/products/:id" }, "owner"),
    ];
    await typeIntoProduct(db(), HARMLESS);
    const pages = await pagesThatShow(asked);
    expect(pages.size).toBe(2);
    for (const typed of PAYLOADS) {
      await typeIntoProduct(db(), typed, world.names.product);
      for (const [one, usual] of pages) {
        const page = await pageAt(one);
        expect(page && says(page, typed), `${one.app} shows ${typed.slice(0, 300)}`).toBe(true);
        if (page) expectText(page, usual, `${one.app}: ${typed.slice(0, 300)}`);
      }
    }
  });

  test("on every page that says again what stood in its address", { timeout: 0 }, async () => {
    const query = (word: string) => QUERY_NAMES.map((name): [string, string] => [name, word]);
    const asked = doors.filter(({ method }) => method === "GET");
    await typeEverywhere(db(), "Nothing");
    const pages = await pagesThatShow(
      asked.map((door) => request(door, door.app === "shop" ? "nobody" : "owner", { query: query(HARMLESS) })),
    );
    expect(namesOf(pages).length).toBeGreaterThan(20);
    for (const word of ["Nothing", "Nothng", " "]) // what is there, what is nearly so, and all
      for (const [one, { shapes }] of pages)
        for (const shape of (await pageAt({ ...one, query: query(word) }))?.shapes ?? []) shapes.add(shape);
    for (const typed of GROUPS)
      for (const [one, usual] of pages) await expectTextAt({ ...one, query: query(typed.slice(0, 200)) }, usual, typed);
  });

  test("in every form that comes back with what was typed", { timeout: 0 }, async () => {
    const body = (word: string) => ({
      kind: "form" as const,
      fields: Object.fromEntries(TYPED.map((name) => [name, word])),
    });
    const asked = doors.filter(({ method, app, path }) => method === "POST" && app === "shop" && !/google/.test(path));
    const pages = await pagesThatShow(asked.map((door) => request(door, "buyer", { body: body(HARMLESS) })));
    for (const refused of ["7/8", "a\tb", `${HARMLESS} `.repeat(200)])
      for (const [one, { shapes }] of pages)
        for (const shape of (await pageAt({ ...one, body: body(refused) }))?.shapes ?? []) shapes.add(shape);
    expect(namesOf(pages)).toEqual(
      expect.arrayContaining(["shop /login", "shop /register", "shop /subscribe", "shop /checkout"]),
    );
    for (const typed of GROUPS.filter(({ length }) => length < 5000))
      for (const [one, usual] of pages) await expectTextAt({ ...one, body: body(typed) }, usual, typed);
  });
});

/** Names of fields that some form of the shop has. */
const TYPED = [
  "firstName",
  "lastName",
  "email",
  "address",
  "city",
  "landmark",
  "phoneNumber",
  "words",
  "next",
  "code",
  "oobCode",
  "id",
  "size",
];
