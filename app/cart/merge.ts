/** Product, size and colour identify a line. */
export type Line = { productId: string; size: string; color: string; quantity: number };

export type MergePlan = {
  /** The account's lines that are new or have another quantity; nothing else is to be written. */
  writes: Line[];
  /** A merged quantity is lower than the guest's: the shopper is told. */
  adjusted: boolean;
  /** Guest lines whose stock is missing or 0. */
  skipped: Line[];
};

/** What became of a guest cart; `added` and `skipped` are titles. */
export type MergeResult = { ok: true; added: string[]; adjusted: boolean; skipped: string[] } | { ok: false };

/** With the lines that the guest cart had, which the browser is to remove from its own. */
export type Merged = Extract<MergeResult, { ok: true }> & { guestLines: Line[] };
export type MergeAnswer = Merged | { ok: false };

export function isSameLine(a: Omit<Line, "quantity">, b: Omit<Line, "quantity">): boolean {
  return a.productId === b.productId && a.size === b.size && a.color === b.color;
}

/**
 * The specification's merge rule: a line without stock is skipped; the same line adds up, capped at stock; another one is
 * added, capped at stock. `stockOf` gives the units that can be bought, 0 when the product or size is unknown.
 */
export function mergeCarts(account: Line[], guest: Line[], stockOf: (line: Line) => number): MergePlan {
  const plan: MergePlan = { writes: [], adjusted: false, skipped: [] };
  for (const line of guest) {
    const stock = stockOf(line);
    if (stock <= 0) {
      plan.skipped.push(line);
      continue;
    }
    const planned = plan.writes.find((other) => isSameLine(other, line));
    const held = (planned ?? account.find((other) => isSameLine(other, line)))?.quantity ?? 0;
    const quantity = Math.min(held + line.quantity, stock);
    if (quantity < line.quantity) plan.adjusted = true;
    if (planned) planned.quantity = quantity;
    else plan.writes.push({ ...line, quantity });
  }
  return plan;
}
