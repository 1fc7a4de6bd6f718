type Listed = { id: string; orderedAt: Date };

/**
 * Whether a list of the `most` newest orders has one that it did not have before. An older one that has moved up, since
 * another left the list, is not new.
 */
export function hasNewOrder(before: readonly Listed[], now: readonly Listed[], most: number): boolean {
  const known = new Set(before.map(({ id }) => id));
  const last = before.length < most ? 0 : Math.min(...before.map(({ orderedAt }) => orderedAt.getTime()));
  return now.some(({ id, orderedAt }) => !known.has(id) && orderedAt.getTime() > last);
}
