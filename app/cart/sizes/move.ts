import type { GuestItem } from "../guest-item.ts";

/** Another size for all units of a line. */
export type SizeChange = { id: string; size: string; to: string };

/**
 * A guest's items with the units of one size moved to another. They join the line of that size, if there is one, else
 * they stay at their place. The sum is capped at `most`, the units that can be bought of the other size.
 */
export function moveToSize(
  items: GuestItem[],
  { id, size, to }: SizeChange,
  most: number,
): { items: GuestItem[]; isCapped: boolean } {
  const old = items.filter((item) => item.id === id && item.selectedSize === size);
  const [first] = old;
  if (!first || size === to) return { items, isCapped: false };
  const held = items.find((item) => item.id === id && item.selectedSize === to);
  const wanted = [...old, ...(held ? [held] : [])].reduce((sum, { quantity }) => sum + quantity, 0);
  const place = held ?? first;
  const moved = { ...place, sizes: to, selectedSize: to, quantity: Math.min(wanted, most) };
  return {
    items: items.flatMap((item) => (item === place ? [moved] : old.includes(item) ? [] : [item])),
    isCapped: wanted > most,
  };
}
