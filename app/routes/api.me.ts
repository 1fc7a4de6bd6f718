import { currentShopper, summaryOf } from "#app/account/session/store.server.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";

/** The signed-in user and the number of units in the cart: {user: summary or null, cartCount}. */
export async function get(request: Request): Promise<ApiAnswer> {
  const shopper = await currentShopper(request);
  if (!shopper) return { json: { user: null, cartCount: 0 } };
  return { json: { user: summaryOf(shopper.user), cartCount: shopper.cartCount } };
}
