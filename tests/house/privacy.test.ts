import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KEPT } from "#app/content/kept.ts";

/** What shoppers read about each cookie, and about each name in the browser's storage. */
const SAID: Record<string, string> = {
  "irepo.session": "a session cookie",
  irepo_in: "one that says there is a session",
  user: "your name, email address and account number",
  cartUserId: "Who is signed in",
  cart: "Your cart as a guest",
  checkoutIntent: "on your way to the checkout",
  cartMergeId: "random numbers that keep a piece from being counted twice",
  noScriptCartMoved: "random numbers that keep a piece from being counted twice",
  "irepo.key": "random numbers that keep a piece from being counted twice",
  "irepo.items": "Without script the cart is in a cookie for 7 days",
  "irepo.code": "a code that you typed before you logged in",
  currency: "The currency that you chose",
  irepo_currency: "The currency that you chose",
  deliverTo: "The place that delivery is shown for",
  measures: "Your own measures, if you type them into a size guide",
  checkoutDraft: "what you typed in the checkout",
  "irepo.typed": "a cookie with what you typed there",
  cartUnsent: "changes of your cart on their way to us",
  toasts: "messages for the next page",
  "react-router-scroll-positions": "how far you had scrolled",
  "irepo.device": "For a year after you have logged in",
  "irepo.registered": "For 30 days after you have registered",
  "irepo.verify": "a link in our mail that you have opened",
  "irepo.reset": "a link in our mail that you have opened",
  "irepo.mailed": "a link in our mail that you have opened or asked for",
  "irepo.asked": "a link in our mail that you have opened or asked for",
  "irepo.google": "a sign-in with Google on its way",
  "irepo.notice": "you have read the notice about all this",
  "irepo.preview": "our staff see a page before it’s published",
};

const files = globSync("app/**/*.{ts,tsx}", { exclude: (name) => name === "staff" || /\.test\./.test(name) });
const LIST = "app/content/kept.ts";
const sources = files
  .filter((file) => !file.startsWith("app/staff/") && file !== LIST)
  .map((file) => readFileSync(file, "utf8"));
const constants = (source: string) =>
  new Map([...source.matchAll(/const ([A-Z][A-Z_]*) = "([^"]+)"/g)].map(([, name = "", text = ""]) => [name, text]));
const everywhere = new Map(sources.flatMap((source) => [...constants(source)]));

const STORED =
  /(?:readStored(?:Object)?|[^.\w]store|[sS]torage\.(?:get|set)Item)(?:<\w+>)?\(\s*(?:"([^"]+)"|([A-Z][A-Z_]*))/g;

test("36 the privacy policy and the notice name every cookie, and all that the browser keeps", () => {
  const cookies = sources.flatMap((source) => [...source.matchAll(/"(irepo[._][a-z]+)"/g)].map(([, name]) => name));
  const stored = sources.flatMap((source) =>
    [...source.matchAll(STORED)].map(
      ([, text, name = ""]) => text ?? constants(source).get(name) ?? everywhere.get(name),
    ),
  );
  expect([...new Set([...cookies, ...stored])].toSorted()).toEqual(Object.keys(SAID).toSorted());
  expect(KEPT.flatMap(({ names }) => names).toSorted()).toEqual(Object.keys(SAID).toSorted());
  for (const [name, words] of Object.entries(SAID))
    expect(KEPT.find(({ names }) => names.includes(name))?.text, name).toContain(words);
  expect(readFileSync("app/content/privacy.tsx", "utf8")).toContain("KEPT.map");
});
