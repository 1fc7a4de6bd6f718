import { piecesText } from "#app/cart/cart.ts";

type Props = {
  checked: boolean;
  /** The number of refunded pieces. */
  pieces: number;
  /** A text about the current stock of these pieces. */
  stock: string;
  onToggle(): void;
};

/** A checkbox: whether the refunded pieces are put back into stock. */
export function RestockTick({ checked, pieces, stock, onToggle }: Props) {
  return (
    <label className="tick">
      <input
        type="checkbox"
        name="restock"
        checked={checked && pieces > 0}
        disabled={pieces === 0}
        onChange={onToggle}
      />
      <span>
        Put <span>{piecesText(pieces)}</span> back to stock <span>{stock && `(${stock})`}</span>
      </span>
    </label>
  );
}
