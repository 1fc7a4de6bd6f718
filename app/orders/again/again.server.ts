import { addToCart } from "#app/cart/cart.server.ts";
import { type Cart, MOST_LINES } from "#app/cart/cart.ts";
import { getProducts } from "#app/catalog/catalog.server.ts";
import type { Product } from "#app/catalog/product.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import type { OrderLine } from "#db/types.ts";
import { getOrder } from "../history.server.ts";
import { rateOfOrder } from "../view.ts";
import { type Difference, differencesOf, linesOfSizes, type Outcome, type Outcomes, readCartAfter } from "./changes.ts";

/**
 * Adds the lines of an order to the shopper's cart, as far as they are sold, in stock and fit into it, one after the
 * other as by hand. `keyOf` makes the idempotency key of the line at a place.
 */
export async function buyAgain(
  on: Db,
  userId: string,
  lines: readonly OrderLine[],
  keyOf: (place: number) => string,
): Promise<Outcomes> {
  const wanted = linesOfSizes(lines);
  const products = await getProducts(
    on,
    wanted.map(({ productId }) => productId),
  );
  const outcomes: Outcomes = new Map();
  for (const [place, line] of wanted.entries()) {
    const outcome = await addLine(on, userId, products.get(line.productId), line, keyOf(place));
    if (outcome) outcomes.set(place, outcome);
  }
  return outcomes;
}

const FULL = messages.cartOther.tooManyLines(MOST_LINES);

async function addLine(
  on: Db,
  userId: string,
  product: Product | undefined,
  { productId: id, size, quantity }: OrderLine,
  key: string,
): Promise<Outcome | undefined> {
  if (!product || product.hidden || !product.sizes.some((one) => one.size === size)) return "gone";
  const added = await addToCart(on, userId, { id, size, quantity, key });
  if (added.ok) return added.change.isCapped ? "less" : undefined;
  return added.problem === FULL ? "full" : "out";
}

/** The notice above a cart into which an order was put. `rate` is the order's. */
export type AgainNews = { number: string; rate: Rate; differences: Difference[] };

/** The notice that the cart's URL asks for. Undefined without one, and if the order is not this shopper's. */
export async function readAgainNews(
  on: Db,
  userId: string,
  query: URLSearchParams,
  cart: Cart,
): Promise<AgainNews | undefined> {
  const asked = readCartAfter(query);
  const order = asked && (await getOrder(on, userId, asked.reference));
  if (!order) return;
  const differences = differencesOf(order.lines, asked.outcomes, cart);
  return differences && { number: order.number, rate: rateOfOrder(order), differences };
}
