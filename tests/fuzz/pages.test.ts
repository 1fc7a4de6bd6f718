vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { SECOND } from "#app/infra/durations.ts";
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
import { fitting, typeEverywhere, typeIntoProduct, typeNotice } from "./typed.ts";
import { newWorld, type Who, type World } from "./world.ts";

// FUZZ_CASES: beyond the usual number every payload is alone in its place; else as many stand in one text as the place keeps of it.
const IS_LONG = Number(process.env.FUZZ_CASES ?? 0) > 10_000;
const textsOf = (most: number) => (IS_LONG ? PAYLOADS : fitting(PAYLOADS, ({ length }) => length <= most));
/** Most places keep whatever is typed; but a title and a colour, or a search. */
const MUCH = 1000;
const KEPT_OF_TITLE = 200;
const KEPT_OF_SEARCH = [200, 100];
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

/** An address that is too long (431) gets to no page. */
const isAnswered = (status: number) => status > 0 && status < 500 && status !== 431;

/** A page as it was answered; undefined for what is no page. Whom a busy machine puts off comes again when told to. */
async function pageAt(one: Case, tries = 3): Promise<ParsedPage | undefined> {
  const { status, headers, text } = await send(one, apps[one.app](), world, "203.0.113.7");
  const putOff = status === 503 ? Number(headers["retry-after"]) : Number.NaN;
  if (tries > 1 && putOff > 0) {
    await pause(putOff * SECOND);
    return pageAt(one, tries - 1);
  }
  expect(status, `${one.app} ${one.door}: ${text.slice(0, 300)}`).toSatisfy(isAnswered);
  return headers["content-type"]?.startsWith("text/html") ? parsePage(text) : undefined;
}

/** The same page, for what was typed now: it says so as text. Where it is refused nothing of it is shown. */
async function expectTextAt(one: Case, usual: ParsedPage, typed: string): Promise<void> {
  const page = await pageAt(one);
  if (page) expectText(page, usual, `${one.app} ${one.door}: ${typed.slice(0, 300)}`);
}

/** Where a product's title stands as it is. */
const SAYING = ["shop /", "shop /shop", "shop /singleProduct/:id", "shop /Cart", "office /products/:id"];

type Pages = Map<Case, ParsedPage>;

/** Of these the pages that show the harmless word. */
async function pagesThatShow(asked: Case[]): Promise<Pages> {
  const pages: Pages = new Map();
  await inTurn(asked, async (one) => {
    const page = await pageAt(one);
    if (page && says(page, HARMLESS)) pages.set(one, page);
  });
  return pages;
}

const AT_ONCE = 2;
/** Several at once: the database works on one while another is rendered. */
async function inTurn<One>(all: Iterable<One>, work: (one: One) => Promise<void>): Promise<void> {
  const left = [...all].values();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Also what these pages look like when this is asked or typed is usual. */
async function alsoUsual(pages: Pages, others: ((one: Case) => Case)[]): Promise<void> {
  for (const other of others)
    await inTurn(pages, async ([one, { shapes }]) => {
      for (const shape of (await pageAt(other(one)))?.shapes ?? []) shapes.add(shape);
    });
}

const namesOf = (pages: Pages) => [...new Set([...pages.keys()].map(({ app, door }) => `${app} ${door}`))];
const askingOf = ({ app }: Door): Who => (app === "shop" ? "nobody" : "owner");
const visitorsOf = ({ app }: Door): Who[] => (app === "shop" ? ["buyer", "shopper"] : ["owner"]);
const asHarmless = (length: number) => `${HARMLESS} `.repeat(length).slice(0, length).trim();

describe("what somebody typed is text", () => {
  test("on every page that shows what is kept", { timeout: 0 }, async () => {
    // As often as a list needs to lead to older rows, where so many are typed.
    for (let at = 0; at < (IS_LONG ? 60 : 1); at++) await typeEverywhere(db(), HARMLESS);
    const pages = await pagesThatShow(lookedAt());
    expect(namesOf(pages).length).toBeGreaterThan(50);
    for (const typed of textsOf(MUCH)) {
      await typeEverywhere(db(), typed);
      await inTurn(pages, ([one, usual]) => expectTextAt(one, usual, typed));
    }
  });

  test("on every page that shows a product's title or colour, or the notice, of which less is kept", {
    timeout: 0,
  }, async () => {
    await typeEverywhere(db(), "Nothing");
    await typeNotice(db(), HARMLESS);
    const noticed = await pagesThatShow([
      request({ app: "shop", method: "GET", path: "/" }, "nobody"),
      request({ app: "office", method: "GET", path: "/shop" }, "owner"),
    ]);
    expect(noticed.size).toBe(2);
    await typeNotice(db(), "Nothing");
    await typeIntoProduct(db(), HARMLESS);
    const pages = await pagesThatShow(lookedAt());
    expect(namesOf(pages)).toEqual(expect.arrayContaining(SAYING));
    for (const typed of textsOf(KEPT_OF_TITLE)) {
      await typeNotice(db(), typed);
      await typeIntoProduct(db(), typed);
      await inTurn([...noticed, ...pages], async ([one, usual]) => {
        const page = await pageAt(one);
        const isSaid = page && says(page, typed.slice(0, KEPT_OF_TITLE));
        if (SAYING.includes(`${one.app} ${one.door}`) || noticed.has(one))
          expect(isSaid, `${one.app} ${one.door} shows ${typed.slice(0, 300)}`).toBe(true);
        if (page) expectText(page, usual, `${one.app} ${one.door}: ${typed.slice(0, 300)}`);
      });
    }
  });

  test("on every page that says again a field of its address", { timeout: 0 }, async () => {
    await typeEverywhere(db(), "Nothing");
    const byFit = await fieldsShown();
    expect([...byFit.values()].flatMap(namesOf)).toEqual(
      expect.arrayContaining(["shop /shop", "office /orders", "office /products", "office /customers"]),
    );
    for (const [fit, pages] of byFit) {
      // What is there, what is nearly so, and all.
      const usual = ["Nothing", "Nothng", " "].map((word) => (one: Case) => asking(one, word));
      await alsoUsual(pages, usual);
      await inTurn(pages, async ([one, page]) => {
        for (const typed of textsThatFit(one, fit)) await expectTextAt(asking(one, typed), page, typed);
      });
    }
  });

  test("on every page that leads on with its whole address", { timeout: 0 }, async () => {
    await typeEverywhere(db(), "Nothing");
    const query = (texts: string[]) =>
      QUERY_NAMES.map((name, at): [string, string] => [name, texts[at % texts.length] ?? ""]);
    const asked = doors.filter(({ method }) => method === "GET");
    const pages = await pagesThatShow(asked.map((door) => request(door, askingOf(door), { query: query([HARMLESS]) })));
    expect(namesOf(pages).length).toBeGreaterThan(20);
    await alsoUsual(
      pages,
      ["Nothing", "Nothng", " "].map((word) => (one) => ({ ...one, query: query([word]) })),
    );
    const short = fitting(
      PAYLOADS.map((text) => text.slice(0, 100).toWellFormed()),
      ({ length }) => length <= 100,
    );
    const most = QUERY_NAMES.length / 2; // an address has room for so many
    for (let at = 0; at < short.length; at += most) {
      const texts = short.slice(at, at + most);
      await inTurn(pages, ([one, usual]) => expectTextAt({ ...one, query: query(texts) }, usual, texts.join(" ")));
    }
  });

  test("in every form that comes back with what was typed", { timeout: 0 }, async () => {
    const body = (word: string) => ({
      kind: "form" as const,
      fields: Object.fromEntries(TYPED.map((name) => [name, word])),
    });
    const asked = doors.filter(({ method, app, path }) => method === "POST" && app === "shop" && !/google/.test(path));
    const pages = await pagesThatShow(asked.map((door) => request(door, "buyer", { body: body(HARMLESS) })));
    const refused = ["7/8", "a\tb", `${HARMLESS} `.repeat(200)];
    await alsoUsual(
      pages,
      refused.map((word) => (one) => ({ ...one, body: body(word) })),
    );
    expect(namesOf(pages)).toEqual(
      expect.arrayContaining(["shop /login", "shop /register", "shop /subscribe", "shop /checkout"]),
    );
    for (const typed of textsOf(KEPT_OF_TITLE).filter(({ length }) => length < 5000))
      await inTurn(pages, ([one, usual]) => expectTextAt({ ...one, body: body(typed) }, usual, typed));
  });
});

/** Every page, to each kind of visitor. */
const lookedAt = () =>
  doors.filter(({ method }) => method === "GET").flatMap((door) => visitorsOf(door).map((who) => request(door, who)));

const queryOf = (names: string[], word: string) => names.map((name): [string, string] => [name, word]);
const asking = (one: Case, word: string): Case => ({ ...one, query: one.query.map(([name]) => [name, word]) });

const LONGEST_ADDRESS = 12_000;
/** As long as its fields keep them, and as its address has room for in each of them. */
function textsThatFit({ query }: Case, fit: number): string[] {
  const room = LONGEST_ADDRESS / query.length;
  const cut = PAYLOADS.map((text) => {
    let short = text.slice(0, fit).toWellFormed();
    while (encodeURIComponent(short).length > room) short = short.slice(0, -1).toWellFormed();
    return short;
  });
  if (IS_LONG) return cut;
  return fitting(cut, (text) => text.length <= fit && encodeURIComponent(text).length <= room);
}

/** The pages that say again fields of their address, asked with these, by how much of them they keep. */
async function fieldsShown(): Promise<Map<number, Pages>> {
  const byFit = new Map<number, Pages>();
  await inTurn(
    doors.filter(({ method }) => method === "GET"),
    async (door) => {
      const one = request(door, askingOf(door));
      const names = await shownNamesOf(one);
      const again = request(door, askingOf(door), { query: queryOf(names, HARMLESS) });
      const page = names.length > 0 && (await pageAt(again));
      if (!page) return;
      const fit = await fitOf(again);
      byFit.set(fit, (byFit.get(fit) ?? new Map()).set(again, page));
    },
  );
  return byFit;
}

/** A space stands otherwise in an address: what only leads on with its own says nothing of it. */
async function shownNamesOf(one: Case): Promise<string[]> {
  const names = [...new Set(QUERY_NAMES)];
  const word = (name: string) => `${HARMLESS} ${name} too`;
  const page = await pageAt({ ...one, query: names.map((name) => [name, word(name)]) });
  return names.filter((name) => page?.texts.some((text) => text.includes(word(name))));
}

/** The most of which the page says all again. */
async function fitOf(one: Case): Promise<number> {
  for (const length of KEPT_OF_SEARCH) {
    const page = await pageAt(asking(one, asHarmless(length)));
    if (page && says(page, asHarmless(length))) return length;
  }
  return Math.min(...KEPT_OF_SEARCH);
}

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
