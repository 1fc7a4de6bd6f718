/** A path as the log may hold it: without the code of a link, which opens an order or a preview. */
export function loggedPath(path: string): string {
  return path.replace(/^\/(pay|handover|preview)\/[^/.]+/i, "/$1/…");
}
