import type { OrderView } from "../view.ts";
import { returnWords } from "./return.ts";

/** The state of each of an order's returns, one per line. */
export function ReturnLines({ order: { returns, numbers } }: { order: OrderView }) {
  if (returns.length === 0) return null;
  return (
    <span className="block text-sm">
      {returns.map((one) => (
        <span key={one.number} className="block">
          {returnWords(one, numbers).title}, <span className="price">{one.number}</span>
        </span>
      ))}
    </span>
  );
}
