import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { shopTimeWithZone } from "#app/owner/shop-time.server.ts";

/** Fields that are only for programs, which read them with `--json`. */
const LEFT_OUT = new Set(["image", "pictures", "cursor"]);

/** An object and those nested in it as lines of text for a person. Empty fields are left out. */
export function spoken(thing: object, indent = ""): string {
  return Object.entries(thing)
    .filter(([name, value]) => !LEFT_OUT.has(name) && !isEmpty(value))
    .flatMap(([name, value]) => linesOf(name, value, indent))
    .join("\n");
}

function linesOf(name: string, value: unknown, indent: string): string[] {
  const label = `${indent}${wordsOf(name)}:`;
  if (Array.isArray(value) && value.some((one) => typeof one === "object"))
    return [label, ...value.map((one: object) => `${indent}  - ${spoken(one, `${indent}    `).trimStart()}`)];
  if (typeof value === "object" && value !== null && !(value instanceof Date || Array.isArray(value)))
    return [label, spoken(value, `${indent}  `)];
  return [`${label} ${plain(name, value)}`];
}

function plain(name: string, value: unknown): string {
  if (value instanceof Date) return shopTimeWithZone(value);
  if (/kobo$/i.test(name)) return formatKobo(kobo(Number(value)));
  if (/cents$/i.test(name)) return formatUsd(usdCents(Number(value)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** "refundedKobo" becomes "refunded", "deliveredAt" "delivered". */
function wordsOf(name: string): string {
  const sum = name.replace(/(Kobo|Cents|At)$/, "").replace(/^kobo$/, "sum");
  return sum.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
