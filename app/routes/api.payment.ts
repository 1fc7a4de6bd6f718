import { data } from "react-router";
import { currentUser } from "#app/account/session.server.ts";
import { closePayment, paymentStatus } from "#app/checkout/payment-status.server.ts";
import { db } from "#app/infra/db.server.ts";
import type { Route } from "./+types/api.payment.ts";

/** What became of the shopper's payment: asks the provider while that is not settled. */
export async function loader({ request, params }: Route.LoaderArgs) {
  return answer(request, params.reference, paymentStatus);
}

/** The payment window was closed: asks the provider, and frees the stock when nothing was paid. */
export async function action({ request, params }: Route.ActionArgs) {
  return answer(request, params.reference, closePayment);
}

async function answer(request: Request, reference: string, ask: typeof paymentStatus) {
  const user = await currentUser(request);
  const status = user && (await ask(db("checkout"), user.id, reference));
  return status ? data(status) : data({ outcome: "unknown-reference" as const }, { status: 404 });
}
