/** A path as the log may hold it: without the code of a link to pay or to hand over, which opens an order. */
export function loggedPath(path: string): string {
  return path.replace(/^\/(pay|handover)\/[^/.]+/i, "/$1/…");
}
