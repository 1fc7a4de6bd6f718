import { readFilters } from "#app/catalog/filter/filters.ts";
import type { Suggestion } from "#app/catalog/filter/search-box.tsx";
import { suggestCards } from "#app/catalog/search/search.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";
import { knownShopSettings } from "#app/infra/settings/shop-settings.server.ts";

const AT_MOST = 6;

/** Suggestions for the search field while typing: at most six products that match `q`, with typing errors corrected. */
export async function get(request: Request): Promise<ApiAnswer> {
  const q = new URL(request.url).searchParams.get("q") ?? "";
  const filters = readFilters(new URLSearchParams({ q }));
  const byModel = knownShopSettings().cardFor === "model";
  const found = filters.search ? await suggestCards(db(), { ...filters, byModel }, AT_MOST) : [];
  const suggestions: Suggestion[] = found.map(({ id, title, color }) => ({ id, title, color }));
  return { json: suggestions, headers: { "Cache-Control": "public, max-age=60" } };
}
