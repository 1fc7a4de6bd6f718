import { addToCart } from "#app/cart/cart.server.ts";
import { type Cart, MOST_LINES } from "#app/cart/cart.ts";
import { getProducts } from "#app/catalog/catalog.server.ts";
import type { Product } from "#app/catalog/product.ts";
import { pieceText } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import type { OrderLine } from "#db/types.ts";
import { getOrder } from "../history.server.ts";
import { changeableLines } from "../size-change/plan.ts";
import { isSamePiece } from "../units.ts";
import { type OrderView, rateOfOrder } from "../view.ts";
import { type Difference, differencesOf, linesOfSizes, type Outcome, type Outcomes, readCartAfter } from "./changes.ts";
import { linesInSize, linesSentBack } from "./other-size.ts";
import type { OtherSizes } from "./other-size.tsx";

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

const full = () => messages.cartOther.tooManyLines(MOST_LINES);

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
  return added.problem === full() ? "full" : "out";
}

/**
 * The pieces of an order that came back, with the sizes in which they can be ordered again, for its page's data. If
 * none came back, the data stay as they are, and the database is not asked.
 */
export async function readOtherSizes(
  on: Db,
  order: Pick<OrderView, "lines" | "returns">,
): Promise<{ otherSizes?: OtherSizes }> {
  const back = linesSentBack(order);
  if (back.length === 0) return {};
  const products = await getProducts(
    on,
    back.map(({ productId }) => productId),
  );
  const stock = [...products].flatMap(([productId, { sizes }]) => sizes.map((size) => ({ ...size, productId })));
  const lines = changeableLines(back, [], stock);
  const without = back
    .filter((line) => !lines.some((one) => isSamePiece(one, line)))
    .map((line) => {
      const product = products.get(line.productId);
      return { piece: pieceText(line), text: messages.again[!product || product.hidden ? "gone" : "noOther"] };
    });
  return { otherSizes: { lines, without } };
}

/**
 * The notice above a cart into which an order was put. `rate` is the order's; `piece` is what was put in, if it is only
 * a piece in another size.
 */
export type AgainNews = { number: string; rate: Rate; differences: Difference[]; piece?: string };

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
  const { outcomes, change } = asked;
  const lines = change ? linesInSize(order, change) : order.lines;
  const differences = differencesOf(lines, outcomes, cart);
  const [line] = change ? lines : [];
  if (!differences || (change && !line)) return;
  return { number: order.number, rate: rateOfOrder(order), differences, ...(line && { piece: pieceText(line) }) };
}
