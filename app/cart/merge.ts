/** Product, size and colour identify a line. */
export type Line = { productId: string; size: string; color: string; quantity: number };

export type MergePlan = {
  /** The account's lines that are new or have a new quantity. All other lines stay as they are. */
  writes: Line[];
  /** A merged quantity is lower than the guest's quantity, and the shopper gets a message. */
  adjusted: boolean;
  /** Guest lines without stock. */
  skipped: Line[];
  /** The lines of `writes` for which the stock was too low. */
  capped: Line[];
};

/**
 * The result of merging a guest cart. `added`, `skipped` and `dropped` contain titles; `dropped` the titles of lines
 * beyond `MOST_LINES`.
 */
export type MergeResult =
  | {
      ok: true;
      added: string[];
      adjusted: boolean;
      skipped: string[];
      dropped?: string[];
      /** Lines that would have more units if the stock allowed it. */
      capped?: Line[];
    }
  | { ok: false };

/** Includes the lines that were sent, which the browser then removes from its guest cart. */
export type Merged = Extract<MergeResult, { ok: true }> & { guestLines: Line[] };
export type MergeAnswer = Merged | { ok: false };

export function isSameLine(a: Omit<Line, "quantity">, b: Omit<Line, "quantity">): boolean {
  return a.productId === b.productId && a.size === b.size && a.color === b.color;
}

/**
 * The specification's merge rule. A guest line without stock is skipped. Quantities of the same line are added up, and
 * every quantity is capped at the stock. `stockOf` returns the units that can be bought, 0 if the product or size is
 * unknown.
 */
export function mergeCarts(account: Line[], guest: Line[], stockOf: (line: Line) => number): MergePlan {
  const plan: MergePlan = { writes: [], adjusted: false, skipped: [], capped: [] };
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
    const write = planned ?? { ...line, quantity };
    write.quantity = quantity;
    if (!planned) plan.writes.push(write);
    if (quantity < held + line.quantity && !plan.capped.includes(write)) plan.capped.push(write);
  }
  return plan;
}

type Dated = Omit<Line, "quantity"> & { addedAt: number };

/**
 * The lines of a merged cart that exceed the newest `most` lines. Among lines with equal times, the account's lines are
 * dropped first.
 */
export function linesToDrop(account: readonly Dated[], added: readonly Dated[], most: number): Dated[] {
  const all = [...account, ...added];
  return all.toSorted((a, b) => a.addedAt - b.addedAt).slice(0, Math.max(0, all.length - most));
}
