import { randomBytes } from "node:crypto";
import sharp from "sharp";
import type { Visitor } from "#tests/support/http-visitor.ts";
import type { RunningShop } from "#tests/support/running-shop.ts";
import type { Clock } from "./answers.ts";

export const PRODUCT = { id: "rings-tee", size: "M" };
/** A size of the product that is sold out. */
export const SOLD_OUT = { id: PRODUCT.id, size: "S" };

/** A customer with an order of many pieces, all of them delivered. */
export type Regular = { visitor: Visitor; email: string; delivered: string };

/** What journeys begin with. Each round leaves the same for the next one. */
export type Materials = {
  /** The code in the mail to somebody who has registered, but not verified the address. */
  code: string;
  /** A customer who is about to press Pay. */
  payer: Visitor;
  /** A customer who sits on the provider's page. */
  paying: { visitor: Visitor; reference: string; payPage: string };
  /** A customer without an order, about to delete the account. */
  leaver: Visitor;
  /** A customer who is signed in, and about to log out. */
  signedIn: Visitor;
  /** The number of an order of which the money for two pieces is to be given back. */
  sold: string;
  /** The number of an order to be sent. */
  unsent: string;
  /** The number of an order to be cancelled. */
  unwanted: string;
  /**
   * The numbers of four returns: one to be answered, one that is approved, and two whose piece is back, for money and
   * for another size.
   */
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
  /** Runs a statement without passing any door. Returns the rows. */
  ask(query: string): Promise<Record<string, unknown>[]>;
  /** The query with which the browser returns from the OpenID provider. */
  agreed(authorizationUrl: string): URLSearchParams;
  /** A product that only the office's journeys use. */
  product: string;
  picture: string;
};

/** What a round has made, for the next round and for later checks. */
export type Made = { newcomer: string; bought: string; asked: string };
export type Doing = World & { materials: Materials; made: Made; clock: Clock };
export type Journey = (doing: Doing) => Promise<unknown>;

export const drawn = () => randomBytes(6).toString("hex");
export const multipart = (visitor: Visitor, url: string, fields: Record<string, string | Blob>, headers = {}) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return visitor.post(url, body, headers);
};
/** A photograph. No two are the same. */
export async function photograph(): Promise<Blob> {
  const [r = 0, g = 0, b = 0] = randomBytes(3);
  const image = sharp({ create: { width: 60, height: 75, channels: 3, background: { r, g, b } } });
  return new Blob([new Uint8Array(await image.jpeg().toBuffer())], { type: "image/jpeg" });
}
