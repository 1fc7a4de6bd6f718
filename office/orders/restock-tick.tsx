type Props = {
  checked: boolean;
  /** How many pieces go back. */
  pieces: number;
  /** What is in stock of them. */
  stock: string;
  onToggle(): void;
};

/** Whether the pieces that go back are in stock again. */
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
        Put {pieces === 1 ? "1 piece" : `${pieces} pieces`} back to stock {stock && `(${stock})`}
      </span>
    </label>
  );
}
