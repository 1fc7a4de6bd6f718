import { db } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { ORDER_STATES } from "#app/orders/state.ts";
import { ORDER_VIEWS, type OrderSearch } from "#app/owner/orders/search.server.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { NIGERIA } from "#app/shipping/shipping.ts";
import { type Granted, may } from "#app/staff/roles.ts";
import { listParams } from "../../http/list-params.server.ts";
import { TAGS_NEED } from "../../tags/changes.server.ts";

/** The search that the URL of the orders' list asks for. A role that may not see tags cannot search by tag. */
export function searchOf(params: URLSearchParams, role: Granted): OrderSearch {
  const { text, tag, sort, from, until, textOf, oneOf, yesOrNo } = listParams(params);
  return {
    view: oneOf("view", ORDER_VIEWS) ?? "all",
    state: oneOf("state", ORDER_STATES),
    sent: yesOrNo("sent"),
    country: textOf("country"),
    delivery: oneOf("delivery", ["home", "pick-up"]),
    customer: textOf("customer"),
    tag: may(role, TAGS_NEED.order) ? tag : undefined,
    text,
    sort,
    from,
    until,
    ...(params.has("numbers") && { numbers: numbersOf(params) }),
  };
}

/** The names of the countries that the shop delivers to, as orders store them. */
export async function countriesToShipTo(): Promise<string[]> {
  const { countries } = await loadShippingRates(db());
  return [NIGERIA.name, ...countries.map(({ name }) => name)];
}

/** The order numbers in a URL like numbers=IR-7K3M-2Q,IR-4D9T-6H. */
export function numbersOf(params: URLSearchParams): string[] {
  return readNumbers(params.get("numbers") ?? "");
}

/** The order numbers in a text like IR-7K3M-2Q,IR-4D9T-6H, each once. */
export function readNumbers(text: string): string[] {
  return [...new Set(text.split(",").flatMap((word) => readOrderNumber(word) ?? []))];
}
