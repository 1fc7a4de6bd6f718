import { beginSession } from "#app/account/session/store.server.ts";
import type { Shopper } from "./shop.ts";

/** Signs a shopper in. Returns the Cookie header of the shopper's browser. */
export async function cookieOf(user: Shopper): Promise<string> {
  const { cookies } = await beginSession(new Request("http://localhost"), { ...user, firstName: "", lastName: "" });
  return cookies.map((one) => one.split(";")[0]).join("; ");
}
