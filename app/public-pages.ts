import { filterQuery, readFilters } from "#app/catalog/filter/filters.ts";
import { PUBLIC_PATHS } from "./ui/frame/paths.ts";

type Query = (given: URLSearchParams) => URLSearchParams;
const NO_QUERY: Query = () => new URLSearchParams();

/** The part of the query that counts, of each URL that answers everybody the same. All others are made for one visitor and never kept. */
function queryOf(path: string): Query | undefined {
  if (path === "/shop") return shopQuery;
  if (/^\/singleProduct\/[\w-]{1,100}$/.test(path)) return NO_QUERY;
  if (path === "/api/products") return productsQuery;
  if (/^\/api\/products\/[\w-]{1,100}$/.test(path)) return NO_QUERY;
  return [...PUBLIC_PATHS, "/sitemap.xml", "/robots.txt"].includes(path) ? NO_QUERY : undefined;
}

/** Whatever names no place counts as the same one. */
function productsQuery(given: URLSearchParams): URLSearchParams {
  const after = given.get("after");
  if (after === null) return new URLSearchParams();
  return new URLSearchParams({ after: /^\d+\.[\w-]{1,100}$/.test(after) ? after : "" });
}

function shopQuery(given: URLSearchParams): URLSearchParams {
  const filters = readFilters(given);
  return new URLSearchParams(filterQuery(filters, { page: filters.page > 1 ? String(filters.page) : "" }));
}

const DATA = /(?:\/_)?\.data$/;

/** The one name of a public page, or of its data for a navigation (`/shop.data`); undefined for every other URL. */
export function publicPage(url: string): string | undefined {
  const [path = ""] = url.split("?", 1);
  const search = url.slice(path.length + 1); // it may have question marks of its own
  const bare = path.replace(DATA, "") || "/";
  const query = queryOf(bare);
  if (!query) return;
  if (!search) return path;
  const given = new URLSearchParams(search);
  if (given.has("_routes")) return; // the router asks for a part of the data
  const counted = query(given).toString();
  return counted ? `${path}?${counted}` : path;
}
