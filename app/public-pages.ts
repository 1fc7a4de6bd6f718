import { filterQuery, readFilters } from "#app/catalog/filter/filters.ts";
import { PUBLIC_PATHS } from "./ui/frame/paths.ts";

type Query = (given: URLSearchParams) => URLSearchParams;
const NO_QUERY: Query = () => new URLSearchParams();

const WITHOUT_QUERY = new Set<string>([...PUBLIC_PATHS, "/sitemap.xml", "/robots.txt", "/llms.txt"]);

/**
 * The relevant part of the query, for paths that answer all visitors the same; undefined for all others, which are made
 * for one visitor and never cached.
 */
function queryOf(path: string): Query | undefined {
  if (path === "/shop") return listQuery;
  if (/^\/singleProduct\/[\w-]{1,100}$/.test(path)) return NO_QUERY;
  if (/^\/collections\/[\w-]{1,100}$/.test(path)) return listQuery;
  if (path === "/api/products") return productsQuery;
  if (/^\/api\/products\/[\w-]{1,100}$/.test(path)) return NO_QUERY;
  return WITHOUT_QUERY.has(path) ? NO_QUERY : undefined;
}

/** All values that are not a place in the list count as the same one. */
function productsQuery(given: URLSearchParams): URLSearchParams {
  const after = given.get("after");
  if (after === null) return new URLSearchParams();
  return new URLSearchParams({ after: /^\d+\.[\w-]{1,100}$/.test(after) ? after : "" });
}

function listQuery(given: URLSearchParams): URLSearchParams {
  const filters = readFilters(given);
  return new URLSearchParams(filterQuery(filters, { page: filters.page > 1 ? String(filters.page) : "" }));
}

/** The path under which the page "not found" is cached; no page's path begins like this. */
export const NOWHERE = "/-";
/** An id that no product and no collection has. */
const NO_ID = "-";
const THING = /^(\/singleProduct\/|\/api\/products\/|\/collections\/)([\w-]{1,100})((?:\/_)?\.data)?(?:\?|$)/;

/** A product or collection with a public page, and the key of the page that stands for all missing ones of its kind. */
export type Thing = { is: "product" | "collection"; id: string; otherwise: string };

/** The product or collection that a public page is about; undefined for all other pages. */
export function thingOf(key: string): Thing | undefined {
  const [, place, id, ending] = THING.exec(key) ?? [];
  if (id === undefined) return;
  const is = place === "/collections/" ? "collection" : "product";
  return { is, id, otherwise: `${place}${NO_ID}${ending ? ".data" : ""}` };
}

/** The result of `stockShownOn` for a page with the stock of all products. */
export const ANY_PRODUCT = "any product";

/** The product whose number of available pieces a public page shows; undefined for a page that shows none. */
export function stockShownOn(key: string): string | undefined {
  const thing = thingOf(key);
  if (thing) return thing.is === "product" ? thing.id : undefined;
  return key.startsWith("/api/products") ? ANY_PRODUCT : undefined;
}

/** Whether a page says that something does not exist: such a page is cached, with its status. */
export function saysNothing(key: string): boolean {
  return key === NOWHERE || key === `${NOWHERE}.data` || thingOf(key)?.id === NO_ID;
}

/** Whether the page is rendered for each currency: all but the answers for programs. */
export function hasTwoRenderings(key: string): boolean {
  return !/^\/(api\/|sitemap\.xml$|(robots|llms)\.txt$)/.test(key);
}

const DATA = /(?:\/_)?\.data$/;

/**
 * The cache key of a public page, or of its data for a navigation (`/shop.data`); undefined for every other URL.
 * `isKind`: whether there is a kind of products with this id, to whose page `/shop?kind=` redirects.
 */
export function publicPage(url: string, isKind: (id: string) => boolean = () => false): string | undefined {
  const [path = ""] = url.split("?", 1);
  const search = url.slice(path.length + 1); // it may have question marks of its own
  const bare = path.replace(DATA, "") || "/";
  const query = queryOf(bare);
  if (!query) return;
  if (!search) return path;
  const given = new URLSearchParams(search);
  if (given.has("_routes")) return; // the router requests a part of the data
  if (bare === "/shop" && isKind(given.get("kind") ?? "")) return; // the redirect keeps the whole query
  const counted = query(given).toString();
  return counted ? `${path}?${counted}` : path;
}
