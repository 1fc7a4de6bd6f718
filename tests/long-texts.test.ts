import { expect, test } from "vitest";
import { splitName } from "#app/account/display-name.ts";
import { safeNext } from "#app/account/next.ts";
import { adviceOn } from "#app/account/password/strength.ts";
import { readGuestCart } from "#app/cart/guest-item.ts";
import { readFilters } from "#app/catalog/filter/filters.ts";
import { respell } from "#app/catalog/search/spelling.ts";
import { KNOWN_WORDS, searchWords } from "#app/catalog/search/words.ts";
import { partsOf, readNotation } from "#app/content/notation.ts";
import { cellText, readTable } from "#app/infra/document/table.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { deviceName } from "#app/infra/http/device-name.ts";
import { accepted } from "#app/infra/http/encoding.server.ts";
import { networkOf } from "#app/infra/http/network.ts";
import { cleanName, isPersonName } from "#app/infra/text/person-name.ts";
import { readStorableJson, storableText } from "#app/infra/text/storable-text.ts";
import { readRate } from "#app/money/exchange-rate.ts";
import { centsFromDollars, usdCents } from "#app/money/money.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { readParcelLabel } from "#app/owner/orders/parcels/label.ts";
import { publicPage } from "#app/public-pages.ts";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { SHIPPING_FIELDS } from "#app/shipping/shipping.ts";
import { stateNamed } from "#app/shipping/state-names.ts";

/**
 * As long as a form accepts. Each text begins like something that patterns look for, and continues with characters that
 * a pattern can split in many ways.
 */
const LENGTH = 50_000;
const filled = (begin: string, part: string, end = "!") =>
  begin + part.repeat((LENGTH - begin.length) / part.length) + end;
const TEXTS = {
  letters: filled("", "a"),
  digits: filled("", "1"),
  spaces: filled("a", " ", "b"),
  dots: filled("a@", "a."),
  hyphens: filled("a@a", "-"),
  "dotted digits": filled("", "1."),
  "one dot and digits": filled("a.", "1", "x"),
  slashes: filled("/", "./"),
  "at signs": filled("a", "@"),
  commas: filled("1", ",000"),
  brackets: filled("", "["),
  links: filled("", "[a]("),
  items: filled("", "- a\n"),
  schemes: filled("", "http:"),
  "schemes in schemes": filled("h".repeat(LENGTH / 5), "ttp:"),
  "unseen characters": filled("a", "\u200b", ".example"),
  percents: filled("/shop?q=", "%20"),
  semicolons: filled("br", ";q=0"),
  colons: filled("", "1:"),
  accents: filled("e", "\u0301"),
};

const rateCents = usdCents(350);
const rates = {
  states: [{ name: "Lagos", rateCents }],
  pickups: [],
  countries: [{ code: "GB", name: "United Kingdom", rateCents }],
};
/** A shipping form in which every field but the country is this text. */
const shippingForm = (country: string, text: string) =>
  readShippingForm(
    new URLSearchParams({ ...Object.fromEntries(SHIPPING_FIELDS.map((field) => [field, text])), country }),
    rates,
  );

const READERS: Record<string, (text: string) => unknown> = {
  isEmail: (text) => isEmail(normalizeEmail(text)),
  isPersonName,
  cleanName,
  splitName,
  safeNext,
  adviceOn: (text) => adviceOn(text, new Set(["password"]), ["Ada"]),
  readGuestCart,
  readFilters: (text) => readFilters(new URLSearchParams({ q: text, min: text, color: text, size: text })),
  respell: (text) =>
    respell(searchWords(readFilters(new URLSearchParams({ q: text })).search ?? ""), new Set(KNOWN_WORDS)),
  deviceName,
  accepted: (text) => accepted(text, "one"),
  networkOf,
  storableText,
  readStorableJson,
  centsFromDollars,
  readRate,
  cellText,
  readTable,
  readParcelLabel,
  readOrderNumber,
  readNotation,
  "links in a text": partsOf,
  publicPage: (text) => publicPage(`/${text}`),
  stateNamed: (text) => stateNamed(rates.states, text),
  "an address at home": (text) => shippingForm("Nigeria", text),
  "an address abroad": (text) => shippingForm("United Kingdom", text),
};

const WITHIN = 50; // ms

/**
 * The shortest of three processor times, in ms: free of the machine's other work, and of work that is done only once.
 */
function timeOf(act: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const began = process.threadCpuUsage();
    act();
    return process.threadCpuUsage(began).user / 1000;
  });
  return Math.min(...times);
}

test.each(Object.entries(READERS))("S53 %s is done with 50,000 characters of any kind at once", (_, read) => {
  const slow = Object.entries(TEXTS)
    .map(([kind, text]) => [kind, timeOf(() => read(text))] as const)
    .filter(([, time]) => time > WITHIN);
  expect(slow).toEqual([]);
});
