import { readOrderNumber } from "#app/orders/number.ts";
import { ORDER_STATES } from "#app/orders/state.ts";
import type { Keyset } from "#app/owner/keyset.server.ts";
import { ORDER_VIEWS, type OrderSearch } from "#app/owner/order-search.server.ts";
import { endOfDay, startOfDay } from "#app/owner/shop-time.server.ts";

/** What a list's address asks for; what cannot be read is left out. */
export function searchOf(params: URLSearchParams): OrderSearch & Keyset {
  const text = (name: string) => params.get(name)?.trim().slice(0, 200) || undefined;
  const oneOf = <T extends string>(name: string, all: readonly T[]) => all.find((one) => one === params.get(name));
  const sent = oneOf("sent", ["yes", "no"]);
  return {
    view: oneOf("view", ORDER_VIEWS) ?? "all",
    sort: oneOf("sort", ["oldest"]),
    text: text("q"),
    state: oneOf("state", ORDER_STATES),
    sent: sent && sent === "yes",
    country: text("country"),
    delivery: oneOf("delivery", ["home", "pick-up"]),
    customer: text("customer"),
    from: startOfDay(params.get("from") ?? ""),
    until: endOfDay(params.get("until") ?? ""),
    before: text("before"),
    after: text("after"),
    ...(params.has("numbers") && { numbers: numbersOf(params) }),
  };
}

/** The orders that an address names: numbers=IR-7K3M-2Q,IR-4D9T-6H. */
export function numbersOf(params: URLSearchParams): string[] {
  const words = (params.get("numbers") ?? "").split(",");
  return [...new Set(words.flatMap((word) => readOrderNumber(word) ?? []))];
}
