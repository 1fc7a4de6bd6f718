import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { closeIssues } from "#app/orders/issues.server.ts";
import { changeOrder } from "./change.server.ts";
import type { Done } from "./orders.server.ts";

/** Resolves the issues of a payment for good. `about` is the payment's reference, which may belong to no order. */
export async function resolveIssues(
  on: Db,
  by: Actor,
  about: string,
  seen?: string,
): Promise<Done & { resolved?: number }> {
  let resolved = 0;
  const done = await changeOrder(
    on,
    by,
    "orders resolve",
    about,
    seen,
  )(async (trx): Promise<Done> => {
    resolved = await closeIssues(trx, about);
    if (resolved > 0) return { ok: true, what: "looked into" };
    return { ok: false, problem: `There's nothing to check on '${about}'` };
  });
  return { ...done, resolved };
}
