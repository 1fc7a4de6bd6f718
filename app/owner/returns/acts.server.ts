import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { acts } from "../orders/acts.server.ts";

/** What staff have done to a return, the oldest first; `after` leaves out all up to this act. */
export function actsOnReturn(on: Db | Transaction, number: string, after = "0") {
  return acts(on, "return", after).where("subjectId", "=", number).execute();
}
