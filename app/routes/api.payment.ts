import { currentUser } from "#app/account/session/store.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import { closePayment, paymentStatus } from "#app/payments/status.server.ts";

type Of = { reference: string };

/** The outcome of the shopper's payment. Asks the provider until the payment is settled. */
export function get(request: Request, { reference }: Of): Promise<ApiAnswer> {
  return answer(request, reference, paymentStatus);
}

/** Called when the payment window is closed. Asks the provider, and releases the reserved stock if nothing was paid. */
export function post(request: Request, { reference }: Of): Promise<ApiAnswer> {
  return answer(request, reference, closePayment);
}

async function answer(request: Request, reference: string, ask: typeof paymentStatus): Promise<ApiAnswer> {
  const user = await currentUser(request);
  if (!user) logInternalError("notAuthenticated", { reference });
  const status = user && (await ask(db("checkout"), user.id, reference));
  return status ? { json: status } : { status: 404, json: { outcome: "unknown-reference" } };
}
