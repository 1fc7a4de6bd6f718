import { kindIds } from "#app/catalog/kind-field.server.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { centsFromDollars, kobo, koboFromNaira, usdCents } from "#app/money/money.ts";
import { readWhole } from "#app/money/typed-number.ts";
import { offerTerms } from "#app/offers/terms.ts";
import { momentAfter, momentOf, OVER_AT_ONCE, typedLastMinute, typedMoment } from "../shop-time.server.ts";
import type { NewOffer, StoredOffer } from "./offers.server.ts";

/** The fields of an offer's form, as they were typed. */
export type TypedOffer = {
  key?: string;
  /** The version of the stored offer. Undefined for a new offer. */
  version?: string;
  name: string;
  starts: "itself" | "code" | "single";
  code: string;
  gift: "percent" | "sum" | "set" | "delivery";
  percent: string;
  off: string;
  buy: string;
  get: string;
  /** The discount on the given pieces of a set, in percent. */
  less: string;
  kinds: string[];
  products: string;
  collections: string[];
  onSaleToo?: "on";
  fromPieces: string;
  fromSum: string;
  from: string;
  until: string;
  mostUses: string;
  firstOrderOnly?: "on";
  oncePerShopper?: "on";
  customers: string;
  countries: string;
  endedText: string;
};

const MOST_USES = 2 ** 31 - 1;

/** The offer, or the problems by field. */
export function readOffer(typed: TypedOffer): { offer: NewOffer } | { problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  /** Reads a field with a whole number, and notes its problem. Undefined if the field is empty. */
  const whole = (
    field: "fromPieces" | "mostUses" | "buy" | "get" | "percent" | "less",
    least: number,
    most: number,
  ) => {
    const text = typed[field].trim();
    if (text === "") return;
    const number = readWhole(text);
    if (number === undefined || number < least || number > most)
      problems[field] = `A whole number from ${least} to ${most}`;
    return number;
  };
  const sum = (field: "off" | "fromSum") => {
    const read = readSum(typed[field]);
    if (typed[field].trim() && !read) problems[field] = "A sum in dollars or naira, like $10 or ₦5,000";
    return read;
  };
  const needed = (field: string, isThere: boolean, text: string) => {
    if (!isThere) problems[field] ??= text;
  };
  const percent = whole("percent", 1, 90);
  const less = whole("less", 1, 100) ?? 100;
  const [buy, get, off] = [whole("buy", 1, 20), whole("get", 1, 20), sum("off")];
  const gifts = {
    percent: { kind: "percent", percent },
    sum: { kind: "sum", off },
    set: { kind: "set", buy, get, percent: less },
    delivery: { kind: "delivery" },
  };
  needed("name", typed.name.trim() !== "", "Give it a name: shoppers read it");
  if (typed.gift === "percent") needed("percent", percent !== undefined, "How many percent?");
  if (typed.gift === "sum") needed("off", off !== undefined, "How much, like $10 or ₦5,000?");
  if (typed.gift === "set") {
    needed("buy", buy !== undefined, "How many have to be bought?");
    needed("get", get !== undefined, "How many come with them?");
    if (buy && get && get > buy) problems.get = "No more than have to be bought";
  }
  if (typed.starts === "code") needed("code", typed.code.trim() !== "", "Which code?");
  const [startsAt, endsAt] = [momentOf(typed.from), momentAfter(typed.until)];
  if (typed.from && !startsAt) problems.from = "A day and a time, or nothing: then it begins now";
  if (typed.until && !endsAt) problems.until = "A day and a time, or nothing: then it has no end";
  if (endsAt && endsAt <= (startsAt ?? new Date())) problems.until = OVER_AT_ONCE;
  const mostUses = whole("mostUses", 1, MOST_USES);
  const terms = offerTerms.safeParse({
    gift: gifts[typed.gift],
    kinds: typed.kinds.filter((kind) => kindIds().includes(kind)),
    products: listOf(typed.products).map(idIn),
    collections: typed.collections,
    onSaleToo: typed.onSaleToo === "on",
    fromPieces: whole("fromPieces", 1, 1000) ?? 0,
    from: sum("fromSum"),
    firstOrderOnly: typed.firstOrderOnly === "on",
    oncePerShopper: typed.oncePerShopper === "on",
    customers: listOf(typed.customers).map((email) => email.toLowerCase()),
    countries: typed.countries
      .split(/[,\n]/)
      .map((name) => name.trim())
      .filter(Boolean),
    ...(typed.endedText.trim() && { endedText: typed.endedText.trim() }),
  });
  for (const { path } of terms.error?.issues ?? []) problems[fieldOf(path)] ??= "Too small or too large";
  if (Object.keys(problems).length > 0 || !terms.success) return { problems };
  return {
    offer: {
      key: typed.key,
      name: typed.name.trim(),
      terms: terms.data,
      byCode: typed.starts !== "itself",
      code: typed.starts === "code" ? typed.code.trim() : undefined,
      startsAt,
      endsAt,
      mostUses,
    },
  };
}

/** A stored offer as fields of its form. The code is left empty, since codes are stored separately. */
export function typedOf({ name, terms, byCode, mostUses, version, ...times }: StoredOffer): TypedOffer {
  const { gift, from, endedText = "" } = terms;
  const tick = (name: "onSaleToo" | "firstOrderOnly" | "oncePerShopper") =>
    terms[name] ? { [name]: "on" as const } : {};
  const number = (value: number | null) => (value ? String(value) : "");
  return {
    name,
    version: String(version),
    starts: byCode ? "single" : "itself",
    code: "",
    gift: gift.kind,
    percent: gift.kind === "percent" ? String(gift.percent) : "",
    off: gift.kind === "sum" ? sumText(gift.off) : "",
    buy: gift.kind === "set" ? String(gift.buy) : "",
    get: gift.kind === "set" ? String(gift.get) : "",
    less: gift.kind === "set" ? String(gift.percent) : "",
    kinds: terms.kinds,
    products: terms.products.join("\n"),
    collections: terms.collections,
    fromPieces: number(terms.fromPieces),
    fromSum: from ? sumText(from) : "",
    from: typedMoment(times.startsAt),
    until: times.endsAt ? typedLastMinute(times.endsAt) : "",
    mostUses: number(mostUses),
    customers: terms.customers.join("\n"),
    countries: terms.countries.join(", "),
    endedText,
    ...tick("onSaleToo"),
    ...tick("firstOrderOnly"),
    ...tick("oncePerShopper"),
  };
}

const sumText = (sum: { cents: number } | { kobo: number }) =>
  "cents" in sum ? formatUsd(usdCents(sum.cents)) : formatKobo(kobo(sum.kobo));

/** The form's field for a path in the terms. */
function fieldOf([part, inner]: readonly PropertyKey[]): string {
  return part === "gift" ? String(inner) : part === "from" ? "fromSum" : String(part);
}

/** Reads a sum such as "$10", "10" or "₦5,000". Undefined for anything else. */
export function readSum(text: string): { cents: number } | { kobo: number } | undefined {
  if (/^(₦|ngn)/i.test(text.trim())) {
    const kobo = koboFromNaira(text);
    return kobo === undefined ? undefined : { kobo };
  }
  const cents = centsFromDollars(text);
  return cents ? { cents } : undefined;
}

const listOf = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

/** The product's id in a text that is either the id or the URL of the product's page. */
function idIn(text: string): string {
  return /([^/?#]+)(?:[?#].*)?$/.exec(text)?.[1] ?? text;
}
