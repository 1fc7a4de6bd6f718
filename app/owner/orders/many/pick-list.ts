import { ONE_SIZE, SIZES } from "#app/catalog/sizes.ts";
import type { Stage } from "#app/orders/fulfilment/progress.ts";
import type { OrderLine } from "#db/types.ts";
import { ALREADY } from "../may-leave.ts";

type Line = Pick<OrderLine, "productId" | "title" | "color" | "size" | "quantity" | "image">;
/** An order to pick. `whyNot`: why it must not be sent. `stage` is undefined if it is not sold. */
export type ToPick = { number: string; lines: readonly Line[]; whyNot?: string; stage?: Stage };

/** A size of a product in a colour: how many pieces in all, and how many for which order. */
export type Picked = Omit<Line, "quantity"> & { units: number; orders: { number: string; units: number }[] };

/** `orders`: the numbers of the orders that are picked. `stay`: the others, each with its reason. */
export type PickList = { picked: Picked[]; orders: string[]; stay: { number: string; whyNot: string }[] };

/**
 * The pieces to fetch from the shelves for these orders, sorted by product, colour and size. Packed orders are left
 * out, since their pieces would be fetched twice.
 */
export function pickList(orders: readonly ToPick[]): PickList {
  const list: PickList = { picked: [], orders: [], stay: [] };
  const known = new Map<string, Picked>();
  for (const { number, lines, whyNot, stage } of orders) {
    const why = whyNot ?? (stage && ALREADY[stage]);
    if (why) {
      list.stay.push({ number, whyNot: why });
      continue;
    }
    list.orders.push(number);
    for (const { productId, title, color, size, image, quantity } of lines) {
      const key = JSON.stringify([productId, color, size]);
      const one = known.get(key) ?? { productId, title, color, size, image, units: 0, orders: [] };
      known.set(key, one);
      one.units += quantity;
      const last = one.orders.at(-1);
      if (last?.number === number) last.units += quantity;
      else one.orders.push({ number, units: quantity });
    }
  }
  list.picked = sorted([...known.values()]);
  return list;
}

const SIZE_ORDER: readonly string[] = [...SIZES, ONE_SIZE];

function sorted(picked: Picked[]): Picked[] {
  const text = (a: string, b: string) => a.localeCompare(b, "en");
  return picked.sort(
    (a, b) =>
      text(a.title, b.title) ||
      text(a.productId, b.productId) ||
      text(a.color, b.color) ||
      SIZE_ORDER.indexOf(a.size) - SIZE_ORDER.indexOf(b.size),
  );
}
