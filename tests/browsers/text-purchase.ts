import { expect, onTestFinished } from "vitest";
import * as messages from "#app/messages.ts";
import { newCustomer, PASSWORD } from "#tests/support/http-visitor.ts";
import type { RunningShop } from "#tests/support/running-shop.ts";
import { ENTER, openTerminal, TAB, type Terminal } from "./terminal.ts";

/**
 * How somebody uses a text browser: the keys of each differ. What is typed into, marked or chosen from is left for the
 * next link, button or field behind it.
 */
export type TextBrowser = {
  /** The program with its options; the address comes behind them. */
  command: string[];
  /** What it says below a page once all of it is drawn. */
  ready: RegExp;
  /** Presses the next link or button with these words. */
  press(words: string): string[];
  /** Marks the radio button before these words, the `at`th one of its line. */
  mark(words: string, at: number): string[];
  /** Goes to the field behind these words. */
  field(label: string): string[];
  /** Types into the field where the cursor is. */
  type(text: string): string[];
  /** Chooses from the list where the cursor is. */
  choose(option: string): string[];
};

/** A shopper without script buys one piece; answers with what stood on each page. */
export async function buyInTerminal(shop: RunningShop, browser: TextBrowser, email: string): Promise<Pages> {
  await newCustomer(shop, email);
  const terminal = openTerminal([...browser.command, `${shop.url}/singleProduct/unity-home-jersey`]);
  onTestFinished(terminal.close);
  return walk(terminal, browser, email);
}

type Pages = Record<"product" | "cart" | "checkout" | "refused" | "asked" | "bank" | "paid", string>;

const literally = (words: string) => words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

async function walk(terminal: Terminal, browser: TextBrowser, email: string): Promise<Pages> {
  const { press, mark, field, type, choose } = browser;
  const keys = (...parts: string[][]) => terminal.press(...parts.flat());
  /** Waits for a page by words of its own. */
  const page = async (words: string) => {
    await terminal.see(new RegExp(`${literally(words)}.*\\n${browser.ready.source}`, "s"));
    return terminal.lines().join("\n");
  };
  /** What is left as it is. */
  const pass = (...names: string[]) => names.map(() => TAB);

  const product = await page("Add to Cart");
  keys(mark("M", 1), press("Add to Cart"));
  const cart = await page("Shipping & taxes calculated at checkout");
  keys(press("Checkout"));
  await page("Hello, You need to log in to check out seamlessly");
  keys(press("Login"));
  await page("forgot password?");
  // By its words another "Login" may be found, below the page.
  keys(field("Email"), type(email), type(PASSWORD), pass("Show password", "forgot password?"), [ENTER]);
  const checkout = await page("2. Who is it for?");
  keys(press("Pay Now"));
  const refused = await page(messages.form.lookAtMarked);
  keys(mark("Home Delivery", 0), pass("Pick-up"), choose("Lagos"), type("1 Broad Street"));
  keys(pass("Apartment", "Nearest landmark", "Pick-up center", "First name", "Last name", "Email"));
  keys(type("0803 123 4567"), press("Pay Now"));
  const asked = await page("With delivery the total is");
  keys(press("Pay Now ₦"));
  const bank = await page("Pay success");
  keys(press("Pay success"));
  const paid = await page("Your order is in");
  return { product, cart, checkout, refused, asked, bank, paid };
}

/** Words that run together, and numbers that are none. */
const MISLEADING = /₦[\d,.]+₦|\d(?:days|to)\b|[a-z](?:[A-Z]|\$|≈)|Delivery\d|([a-z]{4,})\1|\bundefined\b|\bNaN\b/;
const FIRST_SCREEN = 24;

/** Nothing misleads: neither words and prices that run together, nor a reason that nobody sees, nor a wrong number. */
export function expectToRead(pages: Pages): void {
  for (const [name, page] of Object.entries(pages)) expect(page, name).not.toMatch(MISLEADING);
  const { product, cart, refused, asked, bank, paid } = pages;
  const firstScreen = (page: string) => page.split("\n").slice(0, FIRST_SCREEN).join("\n");
  expect(product).toMatch(/SHOP ABOUT IREPO\s/);
  expect(product).toMatch(/Palm Green\s+\$49\.99 ≈ ₦79,984\s/);
  expect(product.match(/^Size$/gm)).toHaveLength(1);
  expect(cart).toMatch(/One less\s+1\s+.*One more/s);
  expect(firstScreen(refused)).toContain(messages.form.lookAtMarked);
  expect(firstScreen(asked)).toContain("With delivery the total is ₦85,584.");
  expect(asked).toMatch(/Delivery to Lagos\s.*\$3\.50 ≈ ₦5,600\s+Total\s+\$53\.49 ₦85,584\s/s);
  expect(bank).toMatch(/₦85,584\.00\s/);
  expect(paid).toMatch(/Your payment of ₦85,584 has arrived\./);
  expect(paid).toMatch(/^2\. Now: We pack it/m);
}
