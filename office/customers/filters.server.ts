import type { CustomerSearch } from "#app/owner/customers/search.server.ts";
import { listParams } from "../http/list-params.server.ts";

/** The search that the URL of the customers' list asks for. */
export function customerSearchOf(params: URLSearchParams): CustomerSearch {
  const { text, tag, sort, yesOrNo } = listParams(params);
  return { text, tag, sort, newsletter: yesOrNo("newsletter"), bought: yesOrNo("bought") };
}
