import { RETURN_REASONS } from "#app/orders/returns/return.ts";
import type { Keyset } from "#app/owner/keyset.server.ts";
import { RETURN_VIEWS, type ReturnSearch } from "#app/owner/returns/search.server.ts";

/** What a list's address asks for; what cannot be read is left out. */
export function returnSearchOf(params: URLSearchParams): ReturnSearch & Keyset {
  const text = (name: string) => params.get(name)?.trim().slice(0, 200) || undefined;
  const oneOf = <T extends string>(name: string, all: readonly T[]) => all.find((one) => one === params.get(name));
  return {
    view: oneOf("view", RETURN_VIEWS) ?? "open",
    sort: oneOf("sort", ["oldest"]),
    text: text("q"),
    reason: oneOf("reason", RETURN_REASONS),
    wish: oneOf("wish", ["money", "exchange"]),
    customer: text("customer"),
    before: text("before"),
    after: text("after"),
  };
}
