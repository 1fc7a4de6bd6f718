import { redirect } from "react-router";
import type { Route } from "./+types/checkout-return";

/**
 * The URL to which the provider's page returns the shopper. The page of the order then asks for the outcome of the
 * payment.
 */
export function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const reference = query.get("reference") ?? query.get("trxref");
  return redirect(reference ? `/order/${encodeURIComponent(reference)}` : "/account", 303);
}
