type Listed = { id: string; orderedAt: Date };

/**
 * Whether the list of the `most` newest orders contains a new order. An older order that has moved up, because another
 * order left the list, is not new.
 */
export function hasNewOrder(before: readonly Listed[], now: readonly Listed[], most: number): boolean {
  const known = new Set(before.map(({ id }) => id));
  const last = before.length < most ? 0 : Math.min(...before.map(({ orderedAt }) => orderedAt.getTime()));
  return now.some(({ id, orderedAt }) => !known.has(id) && orderedAt.getTime() > last);
}
