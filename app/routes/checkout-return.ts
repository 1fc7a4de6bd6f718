import { redirect } from "react-router";
import type { Route } from "./+types/checkout-return";

/** Where the provider's page sends the shopper: the order's page asks what became of the payment. */
export function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const reference = query.get("reference") ?? query.get("trxref");
  return redirect(reference ? `/order/${encodeURIComponent(reference)}` : "/account", 303);
}
