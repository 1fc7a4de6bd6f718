import { BadInput } from "#app/infra/bad-input.ts";
import { DAY, HOUR, MINUTE } from "#app/infra/durations.ts";
import { formatKobo } from "#app/money/format.ts";
import { type AgreedPrice, readAgreed } from "#app/owner/orders/links/agreed.server.ts";
import { makeHandoverLink } from "#app/owner/orders/links/handover.server.ts";
import { renewLink, type SentOrder } from "#app/owner/orders/links/link.server.ts";
import { putTogether } from "#app/owner/orders/links/new.server.ts";
import { LONGEST_STALL, sellAtStall } from "#app/owner/orders/stall/sell.server.ts";
import { shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import type { Context, Result } from "../command.ts";
import { readJson } from "../read-file.ts";
import { readMeans, readReference } from "./by-hand.ts";
import { readNaira, readPiece } from "./refund.ts";

type NewOptions = {
  for?: string;
  piece?: string[];
  price?: string[];
  reason?: string;
  hold?: string;
  address?: string;
};

/** Puts an order together for a customer, and prints its link. */
export async function newOrder({ db, by }: Context, given: NewOptions): Promise<Result> {
  const { for: email, piece = [], price = [], reason, hold = "24h", address } = given;
  if (email === undefined) throw new BadInput("Say whom the order is for: --for EMAIL");
  if (piece.length === 0) throw new BadInput("Say what the order has: --piece ID:SIZE:N");
  const units = piece.map(readPiece);
  const wish = { email, units, agreed: price.map(readPrice), reason, heldFor: readHold(hold) };
  return linkResult(await putTogether(db, by, { ...wish, ...(address && { address: await readAddress(address) }) }));
}

export async function newLink({ db, by }: Context, reference: string): Promise<Result> {
  return linkResult(await renewLink(db, by, reference));
}

export async function newHandoverLink({ db, by }: Context, reference: string): Promise<Result> {
  const done = await makeHandoverLink(db, by, reference);
  if (!done.ok) throw new BadInput(done.problem);
  return {
    code: 0,
    data: { reference, url: done.link, what: done.what },
    text: [`${reference}: ${done.what}`, done.link, "Send it to the person who hands the parcel over."].join("\n"),
  };
}

function linkResult({ kobo, until, ...order }: SentOrder): Result {
  const held = `held until ${shopTimeWithZone(until)}`;
  return {
    code: 0,
    data: { ...order, kobo, until },
    text: [
      `${order.number}: ${formatKobo(kobo)}, ${held}`,
      order.url,
      "Send this link to the customer. It isn't shown again: 'orders link' makes a new one.",
    ].join("\n"),
  };
}

type SellOptions = Pick<NewOptions, "for" | "piece" | "price" | "reason"> & {
  at?: string;
  by?: string;
  reference?: string;
  amount?: string;
  name?: string;
  phone?: string;
};

/** Sells items at a stall, paid by hand and handed over at once. */
export async function sellHere({ db, by }: Context, given: SellOptions): Promise<Result> {
  const { at: stall, amount, piece = [], price = [], reason, for: email = "", name = "", phone = "" } = given;
  if (!stall?.trim()) throw new BadInput("Say where you sell it: --at STALL");
  if (stall.trim().length > LONGEST_STALL) throw new BadInput(`A stall's name has up to ${LONGEST_STALL} letters`);
  if (piece.length === 0) throw new BadInput("Say what you sell: --piece ID:SIZE:N");
  if (amount === undefined) throw new BadInput("Say what was taken: --amount NAIRA");
  const items = { units: piece.map(readPiece), agreed: price.map(readPrice), reason };
  const taken = { means: readMeans(given.by), kobo: readNaira(amount), bankReference: readReference(given.reference) };
  const { number, what } = await sellAtStall(db, by, { ...items, ...taken, stall: stall.trim(), email, name, phone });
  return { code: 0, data: { number }, text: what };
}

/** Reads an agreed price. Throws a BadInput for other text. */
function readPrice(text: string): AgreedPrice {
  const price = readAgreed(text);
  if (!price) throw new BadInput(`'${text}' isn't a price in dollars. Write ID:SIZE=DOLLARS, like eko-jersey:M=35`);
  return price;
}

const LONGEST_HOLD = 3 * DAY;
const SHORTEST_HOLD = 15 * MINUTE;
const UNITS = { m: MINUTE, h: HOUR, d: DAY } as const;

/** Reads a time such as 30m, 24h or 3d, in milliseconds. */
function readHold(text: string): number {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const time = Number(number) * UNITS[(unit ?? "m") as keyof typeof UNITS];
  if (!(time >= SHORTEST_HOLD && time <= LONGEST_HOLD))
    throw new BadInput(`'${text}' isn't a time between 15m and 3d. Write it like 30m, 24h or 2d`);
  return time;
}

/** The fields of an address. Throws a BadInput if the file holds anything but texts by name. */
async function readAddress(file: string): Promise<Record<string, string>> {
  const value = await readJson(file);
  const isAddress =
    typeof value === "object" && value !== null && Object.values(value).every((field) => typeof field === "string");
  if (!isAddress || Array.isArray(value)) throw new BadInput(`${file} isn't an address: {"state": "Lagos", …}`);
  return value as Record<string, string>;
}
