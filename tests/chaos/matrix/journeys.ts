import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { endPayment, LAGOS, newVisitor, PASSWORD, shownOn, type Visitor } from "#tests/support/http-visitor.ts";
import type { RunningShop } from "#tests/support/running-shop.ts";
import { type Clock, expectAnswer, Otherwise } from "./answers.ts";

export const PRODUCT = { id: "rings-tee", size: "M" };
/** From a network of which only the geolocation service could know the country, and each time from another address. */
const fromAfar = () => ({ "x-forwarded-for": `203.0.113.${(addresses++ % 250) + 1}` });
let addresses = 0;

/** A customer with an order of many pieces, all of them there. */
export type Regular = {
  visitor: Visitor;
  email: string;
  delivered: string;
  sold: { number: string; reference: string };
};

/** What journeys begin with; each round leaves the same for the next one. */
export type Materials = {
  /** The code of a mail to somebody who has registered and not verified the address. */
  code: string;
  /** A customer who is about to press Pay. */
  payer: Visitor;
  /** A customer who sits on the provider's page. */
  paying: { visitor: Visitor; reference: string; payPage: string };
  /** The number of an order to be sent. */
  unsent: string;
  /** The number of a return to be answered. */
  asked: string;
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
type Doing = World & { materials: Materials; made: Made; clock: Clock };
type Journey = (doing: Doing) => Promise<unknown>;

const drawn = () => randomBytes(6).toString("hex");
const multipart = (visitor: Visitor, url: string, fields: Record<string, string | Blob>, headers = {}) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return visitor.post(url, body, headers);
};
/** No two are the same. */
async function photograph(): Promise<Blob> {
  const [r = 0, g = 0, b = 0] = randomBytes(3);
  const image = sharp({ create: { width: 60, height: 75, channels: 3, background: { r, g, b } } });
  return new Blob([new Uint8Array(await image.jpeg().toBuffer())], { type: "image/jpeg" });
}

const SHOPPER: Record<string, Journey> = {
  async pages({ shop, clock }) {
    const visitor = newVisitor(shop.url);
    for (const page of ["/", "/shop", `/singleProduct/${PRODUCT.id}`, "/about"])
      await expectAnswer(clock, () => visitor.get(page), 200, page === "/shop" ? "≈ ₦" : "Irepo");
  },
  async pictures({ shop, clock, picture }) {
    const { answer } = await expectAnswer(clock, () => fetch(`${shop.url}/images/${picture}/160.webp`), 200, "WEBP");
    if (answer.headers.get("content-type") !== "image/webp") throw new Otherwise("no picture");
  },
  async search({ shop, clock }) {
    const visitor = newVisitor(shop.url);
    await expectAnswer(clock, () => visitor.get(`/shop?q=rings ${drawn()}`), 200);
    await expectAnswer(clock, () => visitor.get("/api/suggestions?q=rings"), 200, "Rings");
  },
  async "currency and delivery"({ shop, clock }) {
    const visitor = newVisitor(shop.url);
    await expectAnswer(clock, () => visitor.get("/api/currency", fromAfar()), 200, "currency");
    await expectAnswer(clock, () => visitor.get("/api/delivery", fromAfar()), 200, "Lagos");
  },
  async "a guest's cart"({ shop, clock }) {
    const visitor = newVisitor(shop.url);
    const add = { intent: "add", ...PRODUCT, quantity: "1" };
    await expectAnswer(clock, () => visitor.post("/Cart", add), 303);
    await expectAnswer(clock, () => visitor.get("/Cart"), 200, "Rings Tee");
  },
  async "a customer's cart"({ regular: { visitor }, clock }) {
    const other = { id: PRODUCT.id, size: "L" };
    await expectAnswer(clock, () => visitor.post("/Cart", { intent: "add", ...other, quantity: "1" }), 303);
    await expectAnswer(clock, () => visitor.get("/Cart"), 200, "Rings Tee");
    await expectAnswer(clock, () => visitor.post("/Cart", { intent: "remove", ...other }), 303);
  },
  async "live stream"({ regular: { visitor }, clock }) {
    const begun = performance.now();
    const answer = await visitor.get("/api/live");
    if (answer.status !== 200) return expectAnswer(clock, () => Promise.resolve(answer), 200);
    for await (const part of answer.body ?? []) {
      clock.slowest = performance.now() - begun;
      if (Buffer.from(part).includes('"count"')) return;
    }
    throw new Otherwise("ended without a word");
  },
  async register({ shop, made, clock }) {
    made.newcomer = `${drawn()}@example.com`;
    const person = { firstName: "Ngozi", lastName: "Obi", email: made.newcomer, password: PASSWORD };
    await expectAnswer(clock, () => newVisitor(shop.url).post("/register", person), 303);
  },
  async verify({ shop, materials: { code }, clock }) {
    await expectAnswer(clock, () => newVisitor(shop.url).post("/verification", { oobCode: code }), 303, "verified");
  },
  async login({ shop, regular: { email }, clock }) {
    const visitor = newVisitor(shop.url);
    await expectAnswer(clock, () => visitor.post("/login", { email, password: PASSWORD }), 303);
  },
  async "forgotten password"({ shop, regular: { email }, clock }) {
    await expectAnswer(clock, () => newVisitor(shop.url).post("/forgotPassword", { email }), 303);
  },
  async "Google sign-in"({ shop, agreed, clock }) {
    const visitor = newVisitor(shop.url);
    const { location } = await expectAnswer(clock, () => visitor.post("/auth/google", { from: "login" }), 303);
    const back = `/auth/google/callback?${agreed(location)}`;
    await expectAnswer(clock, () => visitor.get(back), 303);
    await expectAnswer(clock, () => visitor.get("/account"), 200, "Welcome");
  },
  async "checkout form"({ materials: { payer }, clock }) {
    await expectAnswer(clock, () => payer.get("/checkout", fromAfar()), 200, "Pay Now");
  },
  pay: pressPay,
  async "return from payment"({ materials: { paying }, made, clock }) {
    const { visitor, payPage, reference } = paying;
    await endPayment(payPage, "success");
    const { location } = await expectAnswer(clock, () => visitor.get(`/checkout/return?reference=${reference}`), 303);
    await expectAnswer(clock, () => visitor.get(location), 200, "Order has been recorded");
    made.bought = reference;
  },
  async "order page"({ regular, clock }) {
    await expectAnswer(clock, () => regular.visitor.get(`/order/${regular.delivered}`), 200, "Delivered");
  },
  async account({ regular: { visitor }, clock }) {
    await expectAnswer(clock, () => visitor.get("/account"), 200, "Welcome");
  },
  async "return request"({ shop, regular: { visitor, delivered }, made, clock }) {
    const wish = { [`quantity:${PRODUCT.id}:${PRODUCT.size}`]: "1", reason: "damaged", words: "It is torn" };
    const { location } = await expectAnswer(clock, () => visitor.post(`/order/${delivered}/return`, wish), 303);
    const number = new URL(location, shop.url).hash.slice(1);
    made.asked = number;
    const picture = await photograph();
    const place = `${shop.url}/order/${delivered}/pictures`;
    await expectAnswer(clock, () => multipart(visitor, place, { number, picture }), 303, number);
  },
  async newsletter({ shop, clock }) {
    const wish = { firstName: "Ngozi", email: `${drawn()}@example.com` };
    await expectAnswer(clock, () => newVisitor(shop.url).post("/subscribe", wish), 303);
  },
};

/** Presses Pay as without script; where the payment is to be made. */
export async function pressPay({ materials, clock }: Pick<Doing, "materials" | "clock">): Promise<string> {
  const { payer } = materials;
  const first = await payer.post("/checkout", LAGOS);
  if (first.status !== 400) await expectAnswer(clock, () => Promise.resolve(first), 400);
  const agreed = await shownOn(first);
  const { location } = await expectAnswer(clock, () => payer.post("/checkout", { ...LAGOS, ...agreed }), 303, "http");
  return location;
}

type Fields = Record<string, string>;
const send = ({ office, owner, clock }: Doing, place: string, fields: Fields, status = 200) =>
  expectAnswer(clock, () => owner.post(office + place, fields, { origin: office }), status);

const OWNER: Record<string, Journey> = {
  async "office: sign-in"({ office, clock }) {
    const stranger = newVisitor(office);
    await expectAnswer(clock, () => stranger.get("/sign-in"), 200, "Sign in to the office");
    await expectAnswer(clock, () => stranger.post("/sign-in", { intent: "demo" }, { origin: office }), 302);
  },
  async "office: Today"({ office, owner, clock }) {
    await expectAnswer(clock, () => owner.get(`${office}/`), 200, "Waiting for you");
  },
  async "office: orders"({ office, owner, regular, clock }) {
    await expectAnswer(clock, () => owner.get(`${office}/orders?view=all`), 200, "IR-");
    await expectAnswer(clock, () => owner.get(`${office}/orders/${regular.sold.number}`), 200, regular.sold.number);
  },
  async "office: refund"(doing) {
    const { regular, ask } = doing;
    const [line] = await ask(
      `select (lines -> 0 ->> 'priceCents')::int * 1600 as kobo from orders where number = '${regular.sold.number}'`,
    );
    const piece = { "pieces[]": `${PRODUCT.id}:${PRODUCT.size}:1`, kobo: String(line?.kobo) };
    const why = { cause: "Too small", key: randomUUID() };
    await send(doing, `/orders/${regular.sold.number}`, { intent: "refund", ...piece, ...why });
  },
  async "office: parcel sent"(doing) {
    const parcel = { intent: "send", carrier: "GIG Logistics", tracking: drawn() };
    await send(doing, `/orders/${doing.materials.unsent}`, parcel);
  },
  async "office: a product's new picture"(doing) {
    const { office, owner, clock, product } = doing;
    const picture = await photograph();
    const place = `${office}/products/pictures`;
    const { body } = await expectAnswer(clock, () => multipart(owner, place, { picture }, { origin: office }), 200);
    const images = JSON.stringify([{ hash: JSON.parse(body).picture.hash, alt: "From the front" }]);
    await send(doing, `/products/${product}`, { intent: "save", ...PRODUCT_FORM, images });
  },
  async "office: stock"(doing) {
    const { ask, product } = doing;
    const [size] = await ask(
      `select supplied, supplied - sold as on_hand from product_sizes where product_id = '${product}'`,
    );
    const [supplied, onHand] = [Number(size?.supplied), Number(size?.on_hand)];
    const changes = JSON.stringify([{ id: product, size: "M", supplied, onHand, typed: onHand + 1 }]);
    await send(doing, "/products/stock", { intent: "save", changes, reason: "delivery" });
  },
  async "office: delivery"(doing) {
    const [rate] = await doing.ask("select rate_cents, details from shipping_rates where name = 'Yobe'");
    const was = { rateCents: Number(rate?.rate_cents), details: rate?.details };
    const edits = JSON.stringify([{ kind: "state", name: "Yobe", was, now: { ...was, rateCents: was.rateCents + 1 } }]);
    await send(doing, "/delivery", { intent: "save", edits, agreed: "yes" });
  },
  async "office: exchange rate"(doing) {
    await send(doing, "/money", { intent: "set", rate: "1600", agreed: "yes" });
  },
  async "office: return approved"(doing) {
    const answer = { intent: "approve", wish: "money", message: "Send it to 1 Broad Street" };
    await send(doing, `/returns/${doing.materials.asked}`, answer);
  },
  async "command: check"(doing) {
    await command(doing, ["check"], "Everything agrees");
  },
  async "command: backup"(doing) {
    const file = path.join(doing.shop.dataDir, `${drawn()}.backup`);
    await command(doing, ["backup", file], "holds");
    rmSync(file);
  },
};

export const PRODUCT_FORM = {
  title: "Matrix Jersey",
  price: "49.99",
  "sizes[]": "M",
  pieces: "{}",
  state: "draft",
} as const;

/** One that does not do it says why, in a line that names the setting. */
function command({ settings }: Doing, words: string[], says: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, ...settings };
    execFile(process.execPath, ["scripts/shop.ts", ...words], { env }, (error, stdout, stderr) => {
      const said = stdout + stderr;
      if (!error && said.includes(says)) return resolve();
      const isClear = error && /^(DATABASE_URL|PICTURES_URL): .{20,}/m.test(said);
      reject(new Otherwise(isClear ? "says so" : `ended with ${error?.code ?? 0}: ${said.slice(0, 300)}`));
    });
  });
}

export const JOURNEYS: Record<string, Journey> = { ...SHOPPER, ...OWNER };
