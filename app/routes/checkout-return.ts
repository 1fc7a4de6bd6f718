import { redirect } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { payerPayment } from "#app/payments/links/payer-link.server.ts";
import type { Route } from "./+types/checkout-return";

/**
 * The URL to which the provider's page returns the shopper. The page of the order then asks for the outcome of the
 * payment. Somebody else who has paid by a link may not see that page, and gets one of their own.
 */
export async function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const reference = query.get("reference") ?? query.get("trxref");
  if (!reference) return redirect("/account", 303);
  const page = (await payerPayment(db(), reference)) ? "pay" : "order";
  return redirect(`/${page}/${encodeURIComponent(reference)}`, 303);
}
