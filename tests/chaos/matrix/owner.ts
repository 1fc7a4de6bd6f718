import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import { newVisitor } from "#tests/support/http-visitor.ts";
import { shopCommand } from "#tests/support/shop-command.ts";
import { expectAnswer, Otherwise } from "./answers.ts";
import { type Doing, drawn, type Journey, multipart, PRODUCT, photograph } from "./doing.ts";

type Fields = Record<string, string>;
const send = ({ office, owner, clock }: Doing, place: string, fields: Fields, status = 200) =>
  expectAnswer(clock, () => owner.post(office + place, fields, { origin: office }), status);

const PIECE = `${PRODUCT.id}:${PRODUCT.size}:1`;

/** The form that refunds one piece. */
async function forOnePiece({ ask, materials }: Doing): Promise<Fields> {
  const [line] = await ask(
    `select (lines -> 0 ->> 'priceCents')::int * 1600 as kobo from orders where number = '${materials.sold}'`,
  );
  return { intent: "refund", "pieces[]": PIECE, kobo: String(line?.kobo) };
}

export const OWNER: Record<string, Journey> = {
  async "office: sign-in"({ office, clock }) {
    const stranger = newVisitor(office);
    await expectAnswer(clock, () => stranger.get("/sign-in"), 200, "Sign in to the office");
    await expectAnswer(clock, () => stranger.post("/sign-in", { intent: "demo" }, { origin: office }), 302);
  },
  async "office: Today"({ office, owner, clock }) {
    await expectAnswer(clock, () => owner.get(`${office}/`), 200, "Waiting for you");
  },
  async "office: orders"({ office, owner, materials, clock }) {
    await expectAnswer(clock, () => owner.get(`${office}/orders?view=all`), 200, "IR-");
    await expectAnswer(clock, () => owner.get(`${office}/orders/${materials.sold}`), 200, materials.sold);
  },
  async "office: refund"(doing) {
    const why = { cause: "Too small", key: randomUUID() };
    await send(doing, `/orders/${doing.materials.sold}`, { ...(await forOnePiece(doing)), ...why });
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
    const edit = { id: product, size: "M", supplied, onHand, typed: onHand + 1, key: crypto.randomUUID() };
    const changes = JSON.stringify([edit]);
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
  async "office: return received"(doing) {
    await send(doing, `/returns/${doing.materials.approved}`, { intent: "receive" });
  },
  async "office: return refunded"(doing) {
    await send(doing, `/returns/${doing.materials.received}`, await forOnePiece(doing));
  },
  async "office: return exchanged"(doing) {
    const parcel = { intent: "exchange", carrier: "GIG Logistics", tracking: drawn() };
    await send(doing, `/returns/${doing.materials.exchange}`, parcel);
  },
  async "office: order cancelled"(doing) {
    await send(doing, `/orders/${doing.materials.unwanted}`, { intent: "cancel", cause: "Out of stock" });
  },
  async "office: hero slides"(doing) {
    const { office, owner, clock } = doing;
    const { body } = await expectAnswer(clock, () => owner.get(`${office}/shop/hero`), 200);
    const seen = /name="seen" value="([^"]*)"/.exec(body)?.[1] ?? "";
    const slides = JSON.stringify([{ id: "one", ground: "orange", title: "New", text: drawn(), alt: "A jersey" }]);
    await send(doing, "/shop/hero", { intent: "hero", slides, seen });
  },
  async "office: invitation"(doing) {
    await send(doing, "/staff", { intent: "invite", email: `${drawn()}@example.com`, role: "reader", name: "Ngozi" });
  },
  async "command: check"(doing) {
    await command(doing, ["check"], "Everything agrees");
  },
  async "command: check --provider"(doing) {
    await command(doing, ["check", "--provider"], "Everything agrees");
  },
  async "command: orders refund"(doing) {
    await command(doing, ["orders", "refund", doing.materials.sold, "--piece", PIECE, "--yes"], "back");
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

/**
 * A clear failure: a line that names the setting or the provider, or, for each fault that was found, a line that says
 * what to do.
 */
const CLEAR = /^(?:(?:DATABASE_URL|PICTURES_URL): .{20,}|The payment provider gives no list: .+| {4}.+ \[\w+\])$/m;

/** Runs a command. A command that fails must say why. */
async function command({ settings }: Doing, words: string[], says: string): Promise<void> {
  const { code, said } = await shopCommand(settings, ...words);
  if (code === 0 && said.includes(says)) return;
  const isClear = code !== 0 && CLEAR.test(said);
  throw new Otherwise(isClear ? "says so" : `ended with ${code}: ${said.slice(0, 300)}`);
}
