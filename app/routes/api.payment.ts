import { currentUser } from "#app/account/session/store.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import { closePayment, paymentStatus } from "#app/payments/status.server.ts";

type Of = { reference: string };

/** What became of the shopper's payment: asks the provider while that is not settled. */
export function get(request: Request, { reference }: Of): Promise<ApiAnswer> {
  return answer(request, reference, paymentStatus);
}

/** The payment window was closed: asks the provider, and frees the stock when nothing was paid. */
export function post(request: Request, { reference }: Of): Promise<ApiAnswer> {
  return answer(request, reference, closePayment);
}

async function answer(request: Request, reference: string, ask: typeof paymentStatus): Promise<ApiAnswer> {
  const user = await currentUser(request);
  if (!user) logInternalError("notAuthenticated", { reference });
  const status = user && (await ask(db("checkout"), user.id, reference));
  return status ? { json: status } : { status: 404, json: { outcome: "unknown-reference" } };
}
