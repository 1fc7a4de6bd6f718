import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import type { BuiltInRole } from "#app/staff/roles.ts";
import { ask } from "./ask-database.ts";
import { violations } from "./axe.ts";
import { newVisitor, openBrowser } from "./browser.ts";
import { freePort } from "./free-port.ts";
import { type Hand, keyboard, pointer } from "./hands.ts";
import { newCustomer, type Visitor } from "./http-visitor.ts";
import { ownerUrl, type RunningShop, runShop } from "./running-shop.ts";

/** The test file's one shop, its office's address and its one browser, once `useOffice` has opened them. */
export let shop: RunningShop;
export let office: string;
export let browser: Browser;

/** Opens shop, office and browser before the file's tests, and closes them after. */
export function useOffice(settings: Record<string, string> = {}): void {
  beforeAll(async () => {
    const port = await freePort();
    office = `http://localhost:${port}`;
    [shop, browser] = await Promise.all([runShop({ ...settings, OFFICE_PORT: String(port) }), openBrowser()]);
    await vi.waitUntil(() => shop.said().includes(`Back office: ${office}`), { timeout: 60_000 });
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });
}

/** The ways to run each journey: in a wide window, on a phone, and by keyboard alone. */
export const WAYS = [
  { by: "mouse", width: 1440 },
  { by: "finger", width: 360 },
  { by: "keyboard", width: 1440 },
] as const;
export type Way = (typeof WAYS)[number];

export type Person = {
  page: Page;
  context: BrowserContext;
  hand: Hand;
  complaints: string[];
  /**
   * Expects no findings of axe and no sideways scrolling. (With the keyboard, the screen is the same as with the
   * mouse.)
   */
  isInOrder(): Promise<void>;
  /** Fails on complaints other than refused forms and `expected`. Then closes the browser. */
  leaves(expected?: RegExp): Promise<void>;
};

async function person({ by, width }: Way): Promise<Person> {
  const visitor = await newVisitor(browser, {
    viewport: { width, height: 800 },
    hasTouch: by === "finger",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page, context, complaints } = visitor;
  return {
    ...visitor,
    hand: by === "keyboard" ? keyboard(page) : pointer(page, by === "mouse" ? "click" : "tap"),
    async isInOrder() {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      if (by !== "keyboard") expect(await violations(page)).toEqual([]);
    },
    async leaves(expected = /status of 422/) {
      expect(complaints.filter((line) => !expected.test(line))).toEqual([]);
      await context.close();
    },
  };
}

let members = 0;

/** A signed-in member of the staff, on this screen of the office. */
export async function staff(
  way: Way,
  path: string,
  role: BuiltInRole = "owner",
): Promise<Person & { email: string; name: string }> {
  const name = `Bisi ${++members}`;
  const email = `${role}-${members}@example.com`;
  const token = randomBytes(32).toString("base64url");
  await asked(
    `with one as (insert into staff (email, role, name, joined_at) values ('${email}', '${role}', '${name}', now()) returning id)
     insert into staff_sessions (token_hash, staff_id, device) select '\\x${secretHash(token).toString("hex")}', id, 'A test' from one`,
  );
  const one = await person(way);
  await one.context.addCookies([{ name: "irepo.office", value: token, url: office }]);
  await one.page.goto(office + path);
  return { ...one, email, name };
}

/** A shopper who is logged in, on this page of the shop. `http` is the same account on another device. */
export async function shopper(way: Way, email: string, path: string): Promise<Person & { http: Visitor }> {
  const [http, one] = [await newCustomer(shop, email), await person(way)];
  await one.context.addCookies([...http.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await one.page.addInitScript(() => self === top && localStorage.setItem("currency", "NGN"));
  await one.page.goto(shop.url + path);
  return { ...one, http };
}

/** Stops the screen's reload every few seconds, which only happens while the screen is visible. */
export const looksNoMore = (page: Page) =>
  page.evaluate(() => void Object.defineProperty(document, "visibilityState", { get: () => "hidden" }));

export const heading = (page: Page, name: string | RegExp, level = 1) => page.getByRole("heading", { level, name });
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** Runs one statement in the shop's own database. Returns the rows. */
export const asked = (query: string) => ask(ownerUrl(shop), query);
export const count = async (from: string) => Number((await asked(`select count(*) n from ${from}`))[0]?.n);
