import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { type Granted, may, type Permission } from "../roles.ts";

type KindRow = {
  /** The permission to see what it tells of. */
  needs: Permission;
  /** Its name in the office. */
  says: string;
  one(name: string): string;
  many(count: number): string;
  /** The office's page about several at once. */
  path: string;
};

const TABLE = {
  order: {
    needs: "orders",
    says: "New orders",
    one: (number) => `New order ${number}`,
    many: (count) => `${count} new orders`,
    path: "/orders?view=to-send",
  },
  payment: {
    needs: "details",
    says: "Payments that need attention",
    one: (number) => (number ? `A payment needs attention: ${number}` : "A payment needs attention"),
    many: (count) => `${count} payments need attention`,
    path: "/orders?view=person",
  },
  size: {
    needs: "products",
    says: "Sizes that sell out",
    one: (name) => `Sold out: ${name}`,
    many: (count) => `${count} sizes sold out`,
    path: "/products/stock?view=out",
  },
} as const satisfies Record<string, KindRow>;

/** The kinds of notifications. */
export type Kind = keyof typeof TABLE;
export const KINDS = Object.keys(TABLE) as Kind[];
export const kindText = (kind: Kind): string => TABLE[kind].says;

/** The kinds that a role may be told of. */
export function kindsFor(role: Granted): Kind[] {
  return KINDS.filter((kind) => may(role, TABLE[kind].needs));
}

/**
 * What a notification is about. `name`: an order's number or a size's name; empty for a payment without an order.
 * `path`: its page in the office.
 */
export type About = { name: string; kobo?: number; path: string };
export type Message = { title: string; body: string; path: string };

const MOST_NAMED = 5;
/** Enough for a notification. A message of all texts fits into what every push service takes. */
const MOST_LETTERS = 300;
const short = (text: string) => text.slice(0, MOST_LETTERS);

/**
 * One message about all that has happened of a kind. It has sums only for roles that may see them, and for nobody a
 * name, an address, or what somebody bought.
 */
export function messageOf(kind: Kind, about: readonly About[], role: Granted): Message {
  const { one, many, path }: KindRow = TABLE[kind];
  const sum = about.reduce((all, { kobo: part = 0 }) => all + part, 0);
  const money = may(role, "details") && sum > 0 ? formatKobo(kobo(sum)) : "";
  const [first] = about;
  if (first && about.length === 1) return { title: short(one(first.name)), body: money, path: first.path };
  const names = about.flatMap(({ name }) => name || []);
  const more = names.length > MOST_NAMED ? ["…"] : [];
  const listed = [...names.slice(0, MOST_NAMED), ...more].join(", ");
  return { title: many(about.length), body: [short(listed), money].filter(Boolean).join(" · "), path };
}
