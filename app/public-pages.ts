import { filterQuery, readFilters } from "./catalog/filters.ts";

/** The pages that are the same for everybody, each with the part of its query that counts. Everything else is made for one visitor and kept by nobody. */
const PAGES: [path: RegExp, query: (given: URLSearchParams) => URLSearchParams][] = [
  [/^\/(about|returnpolicy|shipping-policy|privacy-policy)?$/, () => new URLSearchParams()],
  [/^\/shop$/, shopQuery],
  [/^\/singleProduct\/[\w-]{1,100}$/, (given) => new URLSearchParams(given.has("choose") ? "choose" : "")],
  [/^\/api\/products$/, productsQuery],
  [/^\/api\/products\/[\w-]{1,100}$/, () => new URLSearchParams()],
  [/^\/(sitemap\.xml|robots\.txt)$/, () => new URLSearchParams()],
];

/** What names no place has one name, too. */
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
  const search = url.slice(path.length + 1); // a question mark in it is a part of what was typed
  const bare = path.replace(DATA, "") || "/";
  const query = PAGES.find(([pattern]) => pattern.test(bare))?.[1];
  if (!query) return;
  if (!search) return path;
  const given = new URLSearchParams(search);
  if (given.has("_routes")) return; // the router asks for a part of the data
  const counted = query(given).toString();
  return counted ? `${path}?${counted}` : path;
}
