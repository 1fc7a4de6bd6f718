import { randomBytes } from "node:crypto";
import sharp from "sharp";
import type { Visitor } from "#tests/support/http-visitor.ts";
import type { RunningShop } from "#tests/support/running-shop.ts";
import type { Clock } from "./answers.ts";

export const PRODUCT = { id: "rings-tee", size: "M" };
/** A size of it that is sold out. */
export const SOLD_OUT = { id: PRODUCT.id, size: "S" };

/** A customer with an order of many pieces, all of them there. */
export type Regular = { visitor: Visitor; email: string; delivered: string };

/** What journeys begin with; each round leaves the same for the next one. */
export type Materials = {
  /** The code of a mail to somebody who has registered and not verified the address. */
  code: string;
  /** A customer who is about to press Pay. */
  payer: Visitor;
  /** A customer who sits on the provider's page. */
  paying: { visitor: Visitor; reference: string; payPage: string };
  /** A customer without an order, about to delete the account. */
  leaver: Visitor;
  /** Signed in, about to log out. */
  signedIn: Visitor;
  /** The number of an order of which the money for two pieces is to be given back. */
  sold: string;
  /** The number of an order to be sent. */
  unsent: string;
  /** The number of an order to be cancelled. */
  unwanted: string;
  /** The number of a return to be answered; of one that is approved; and of two whose piece is back: for money, and for another size. */
  asked: string;
  approved: string;
  received: string;
  exchange: string;
};

export type World = {
  shop: RunningShop;
  office: string;
  settings: Record<string, string>;
  regular: Regular;
  owner: Visitor;
  /** The rows of a statement, past every fault. */
  ask(query: string): Promise<Record<string, unknown>[]>;
  /** What the browser brings back from the OpenID provider. */
  agreed(authorizationUrl: string): URLSearchParams;
  /** A product of the office alone. */
  product: string;
  picture: string;
};

/** What a round has come to, for the next one and for what is looked at afterwards. */
export type Made = { newcomer: string; bought: string; asked: string };
export type Doing = World & { materials: Materials; made: Made; clock: Clock };
export type Journey = (doing: Doing) => Promise<unknown>;

export const drawn = () => randomBytes(6).toString("hex");
export const multipart = (visitor: Visitor, url: string, fields: Record<string, string | Blob>, headers = {}) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return visitor.post(url, body, headers);
};
/** No two are the same. */
export async function photograph(): Promise<Blob> {
  const [r = 0, g = 0, b = 0] = randomBytes(3);
  const image = sharp({ create: { width: 60, height: 75, channels: 3, background: { r, g, b } } });
  return new Blob([new Uint8Array(await image.jpeg().toBuffer())], { type: "image/jpeg" });
}
