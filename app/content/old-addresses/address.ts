/** In letters. */
export const OLD_MAX = 300;
/** In letters. */
export const NEW_MAX = 500;
/** The most old addresses that a shop may have. */
export const MOST_OLD = 10_000;

/** A letter may be escaped as nine characters. */
const LONGEST_ESCAPED = 9 * OLD_MAX;
const UNFIT = /[%?#\\\p{Cc}\p{Cs}]/u;
/** Begins where a run of slashes and spaces begins, so that a long run inside a path is read once. */
const END = /(?<![\s/])[\s/]+$/;

/**
 * A URL's path as old addresses are compared: decoded once, in small letters and composed Unicode, without slashes and
 * spaces at the end. A compared path is compared as itself. Undefined if no old address can have this path: `/`, one
 * that is too long or unreadable, or that has a query, control characters or, once decoded, a percent sign.
 */
export function comparedPath(path: string): string | undefined {
  if (path.length > LONGEST_ESCAPED) return;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return; // a broken escape
  }
  const compared = decoded.toLowerCase().normalize().replace(END, "");
  return /^\/[^/]/.test(compared) && compared.length <= OLD_MAX && !UNFIT.test(compared) ? compared : undefined;
}

/** First parts of paths that the shop answers itself, whatever follows. Their addresses may name an order. */
const OWN = new Set([
  ...["account", "api", "assets", "auth", "checkout", "demo", "images", "logout", "order", "pay", "sitemap"],
  ...["handover", "preview", "queue", "healthz", "readyz", "status", "feeds", "link", "webhooks"],
  ...[".well-known", "llms.txt", "robots.txt", "sitemap.xml"],
]);

/** Whether the shop itself answers all paths that begin like this one, which is as `comparedPath` gives it. */
export function isOwnPlace(compared: string): boolean {
  const end = compared.indexOf("/", 1);
  return OWN.has(compared.slice(1, end < 0 ? undefined : end));
}
