import { RETURN_REASONS } from "#app/orders/returns/return.ts";
import { RETURN_VIEWS, type ReturnSearch } from "#app/owner/returns/search.server.ts";
import { listParams } from "../http/list-params.server.ts";

/** The search that the URL of the returns' list asks for. */
export function returnSearchOf(params: URLSearchParams): ReturnSearch {
  const { text, sort, textOf, oneOf } = listParams(params);
  return {
    view: oneOf("view", RETURN_VIEWS) ?? "open",
    reason: oneOf("reason", RETURN_REASONS),
    wish: oneOf("wish", ["money", "exchange"]),
    customer: textOf("customer"),
    text,
    sort,
  };
}
