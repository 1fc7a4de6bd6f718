import { currentUser, summaryOf } from "#app/account/session/store.server.ts";
import { countCart } from "#app/cart/cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";

/** Who is signed in and how much lies in the cart: {user: summary or null, cartCount}. */
export async function get(request: Request): Promise<ApiAnswer> {
  const user = await currentUser(request);
  if (!user) return { json: { user: null, cartCount: 0 } };
  const { count } = await countCart(db(), user.id);
  return { json: { user: summaryOf(user), cartCount: count } };
}
