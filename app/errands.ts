import type { Errand } from "./infra/http/lanes/lanes.server.ts";
import { DESCRIPTIONS } from "./providers/descriptions.ts";
import { PUBLIC_PATHS } from "./ui/frame/paths.ts";

/** Paths that never wait for a turn: health checks, and the live cart's event stream, which stays open for hours. */
const FREE = new Set(["/healthz", "/readyz", "/status", "/api/live"]);
const WEBHOOKS = new Set(DESCRIPTIONS.flatMap(({ webhook }) => webhook?.path ?? []));
const PICTURE = /^\/images\/[0-9a-f]{20}\/\d{1,4}\.\w{3,4}$/;
/** First path segments of requests that lead to an order: by way of an account, a cart, a product or a payment. */
const BUYING = new Set([
  ...[
    "login",
    "logout",
    "auth",
    "register",
    "forgotpassword",
    "checkmail",
    "resetpassword",
    "verifymail",
    "verification",
  ],
  ...["account", "cart", "checkout", "order", "singleproduct", "me", "delivery", "payments"],
]);
const FIXED = new Set<string>([...PUBLIC_PATHS, "/sitemap.xml", "/robots.txt", "/llms.txt", "/api/products"]);

/**
 * The purpose of a request; undefined if it never waits for a turn. `isFile`: whether a path is that of a file of this
 * build. All requests that are not listed here count as browsing.
 */
export function errandOf(
  { method = "", url = "" }: { method?: string; url?: string },
  isFile: (path: string) => boolean,
): Errand {
  const [path = "", query] = url.split("?", 2);
  const isRead = method === "GET" || method === "HEAD";
  if (isRead ? FREE.has(path) || PICTURE.test(path) || isFile(path) : method === "POST" && WEBHOOKS.has(path)) return;
  // Such a path may lead to another page than its first segment suggests.
  if (path.includes("%") || path.includes("/.")) return "browse";
  const [, first = "", second = ""] = path.toLowerCase().split("/");
  const word = (first === "api" ? second : first).replace(/\.data$/, "");
  // Whoever waits in a queue reads its page again and again.
  if (BUYING.has(word) || (word === "queue" && !isRead)) return "buy";
  return query === undefined && FIXED.has(path.replace(/(?:\/_)?\.data$/, "") || "/") ? "buy" : "browse";
}
