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
import { numberAll, setReceipts } from "#tests/support/receipts.ts";
import { OFFICE } from "#tests/support/returns.ts";
import { share } from "#tests/support/share.ts";
import { useApps } from "./apps.ts";
import { type Case, paramsOf, QUERY_NAMES } from "./cases.ts";
import { type Door, doorsOf } from "./doors.ts";
import { type ParsedPage, parsePage } from "./html.ts";
import { PAYLOADS } from "./payloads.ts";
import { send } from "./send.ts";
import { expectText, says } from "./shown.ts";
import { WITHIN } from "./slow.ts";
import { fitting, typeEverywhere, typeIntoProduct, typeNotice } from "./typed.ts";
import { newWorld, type Who, type World } from "./world.ts";

// FUZZ_CASES above the usual number: every payload is alone in its place. Otherwise as many payloads stand in one text
// as the place keeps.
const IS_LONG = Number(process.env.FUZZ_CASES ?? 0) > 10_000;
const textsOf = (most: number) => (IS_LONG ? PAYLOADS : fitting(share(PAYLOADS), ({ length }) => length <= most));
/** The length up to which most places keep a text. Titles and colours keep less, and so do searches. */
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
  await setReceipts(db());
  world = await newWorld(checkout);
  await numberAll(db());
  doors = [...(await doorsOf("shop")), ...(await doorsOf("office"))];
  await addNote(db(), OFFICE, world.names.reference, { id: crypto.randomUUID(), text: HARMLESS });
  await subscribe(db(), HARMLESS, "ada@example.com");
  // A long run lasts longer than a sign-in counts as new, and the staff's pages look different afterwards.
  await db().updateTable("staffSessions").set({ createdAt: sql`now() + interval '1 day'` }).execute();
});

/** The placeholder for a parameter in an address, so that the page exists. */
function nameIn(path: string, param: string): string {
  if (path.startsWith("/customers")) return "{{customer}}";
  if (path.startsWith("/returns")) return "{{return}}";
  if (path.startsWith("/offers")) return "{{offer}}";
  if (path.startsWith("/collections")) return "{{collection}}";
  if (path.startsWith("/size-guides")) return "{{sizeGuide}}";
  if (path.startsWith("/words")) return "about";
  return { id: "{{product}}", reference: "{{reference}}", number: "{{number}}" }[param] ?? "{{uuid}}";
}

function request({ app, path: door, method }: Door, who: Who, more: Partial<Case> = {}): Case {
  const parts = door.split("/").slice(1);
  const named = parts.map((part) => paramsOf(part).map((name) => nameIn(door, name))[0] ?? part);
  return { app, method, door, parts: named, scripted: false, query: [], who, headers: {}, ...more };
}

/** Whether a page has answered. An address that is too long (431) reaches no page. */
const isAnswered = (status: number) => status > 0 && status < 500 && status !== 431;

/**
 * The parsed page of an answer. Undefined if the answer is no page. A request that a busy machine refuses is repeated
 * after the time that Retry-After names.
 */
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

/**
 * Expects the page to look as usual, with what was typed now as text. If the text is refused, the page shows nothing of
 * it.
 */
async function expectTextAt(one: Case, usual: ParsedPage, typed: string): Promise<void> {
  const page = await pageAt(one);
  if (page) expectText(page, usual, `${one.app} ${one.door}: ${typed.slice(0, 300)}`);
}

/** The pages that show a product's title unchanged. */
const SAYING = [
  "shop /",
  "shop /shop",
  "shop /singleProduct/:id",
  "shop /collections/:id",
  "shop /Cart",
  "office /products/:id",
];

/** The letters of a text, so that an address has room for one in each field that the sources read. */
const IN_ADDRESS = 80;

type Pages = Map<Case, ParsedPage>;

/** The pages that show the harmless word. */
async function pagesThatShow(asked: Case[]): Promise<Pages> {
  const pages: Pages = new Map();
  await inTurn(asked, async (one) => {
    const page = await pageAt(one);
    if (page && says(page, HARMLESS)) pages.set(one, page);
  });
  return pages;
}

const AT_ONCE = 2;
/** Works on several at once: the database is busy with one while another is rendered. */
async function inTurn<One>(all: Iterable<One>, work: (one: One) => Promise<void>): Promise<void> {
  const left = [...all].values();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Adds to the usual shapes of these pages what they look like with these other requests. */
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
  test("on every page that shows what is kept", { timeout: WITHIN }, async () => {
    // In a long run often enough for lists to lead to older rows, since as many are typed then.
    for (let at = 0; at < (IS_LONG ? 60 : 1); at++) await typeEverywhere(db(), HARMLESS);
    const pages = await pagesThatShow(lookedAt());
    expect(namesOf(pages).length).toBeGreaterThan(50);
    await typeEverywhere(db(), asHarmless(MUCH)); // some pages tell that a text is too long for others
    await alsoUsual(pages, [(one) => one]);
    for (const typed of textsOf(MUCH)) {
      await typeEverywhere(db(), typed);
      await inTurn(pages, ([one, usual]) => expectTextAt(one, usual, typed));
    }
  });

  test("on every page that shows a product's title or colour, or the notice, of which less is kept", {
    timeout: WITHIN,
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

  test("on every page that says again a field of its address", { timeout: WITHIN }, async () => {
    await typeEverywhere(db(), "Nothing");
    const byFit = await fieldsShown();
    expect([...byFit.values()].flatMap(namesOf)).toEqual(
      expect.arrayContaining(["shop /shop", "office /orders", "office /products", "office /customers"]),
    );
    for (const [fit, pages] of byFit) {
      // Searches that find exactly this word, a similar one, and everything.
      const usual = ["Nothing", "Nothng", " "].map((word) => (one: Case) => asking(one, word));
      await alsoUsual(pages, usual);
      await inTurn(pages, async ([one, page]) => {
        for (const typed of textsThatFit(one, fit)) await expectTextAt(asking(one, typed), page, typed);
      });
    }
  });

  test("on every page that leads on with its whole address", { timeout: WITHIN }, async () => {
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
      PAYLOADS.map((text) => text.slice(0, IN_ADDRESS).toWellFormed()),
      ({ length }) => length <= IN_ADDRESS,
    );
    const most = QUERY_NAMES.length / 2;
    for (let at = 0; at < short.length; at += most) {
      const texts = short.slice(at, at + most);
      await inTurn(pages, ([one, usual]) => expectTextAt({ ...one, query: query(texts) }, usual, texts.join(" ")));
    }
  });

  test("in every form that comes back with what was typed", { timeout: WITHIN }, async () => {
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
/** The payloads, each cut to what its fields keep, and to what its address has room for in each field. */
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

/** The pages that show fields of their address, requested with these fields, by how much of a field they keep. */
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

/**
 * The names of the fields that a page shows. The words contain spaces, which look different in an address: a page that
 * only repeats its address in links does not count.
 */
async function shownNamesOf(one: Case): Promise<string[]> {
  const names = [...new Set(QUERY_NAMES)];
  const word = (name: string) => `${HARMLESS} ${name} too`;
  const page = await pageAt({ ...one, query: names.map((name) => [name, word(name)]) });
  return names.filter((name) => page?.texts.some((text) => text.includes(word(name))));
}

/** The greatest length at which the page still shows the whole text. */
async function fitOf(one: Case): Promise<number> {
  for (const length of KEPT_OF_SEARCH) {
    const page = await pageAt(asking(one, asHarmless(length)));
    if (page && says(page, asHarmless(length))) return length;
  }
  return Math.min(...KEPT_OF_SEARCH);
}

/** The names of the fields in the shop's forms. */
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
