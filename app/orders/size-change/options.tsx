import { sizeName, variantText } from "#app/catalog/sizes.ts";
import type { SizeOnSale } from "../returns/rules.ts";
import type { Units } from "../units.ts";

/** A line of an order, with the sizes to which it can change. */
export type SizeLine = Units & { title: string; color: string; sizes: SizeOnSale[] };

/** The options of a select for a change of a size, as `readChange` reads them. */
export function SizeOptions({ lines }: { lines: readonly SizeLine[] }) {
  return (
    <>
      <option value="">Choose one</option>
      {lines.map(({ productId, title, color, size, quantity, sizes }) => (
        <optgroup key={`${productId} ${size}`} label={`${title}, ${variantText({ color, size })} × ${quantity}`}>
          {sizes.map((other) => (
            <option key={other.size} value={`${productId}:${size}:${other.size}`}>
              {`${title}: ${sizeName(size)} to ${sizeName(other.size)}`}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}

/** The most pieces that one change can be about. */
export function mostPieces(lines: readonly SizeLine[]): number {
  return Math.max(0, ...lines.map(({ quantity }) => quantity));
}
