import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { acts } from "../orders/acts.server.ts";

/** The acts of staff on a return, oldest first. Only those after the act `after`. */
export function actsOnReturn(on: Db | Transaction, number: string, after = "0") {
  return acts(on, "return", after).where("subjectId", "=", number).execute();
}
