import type { RawBuilder } from "kysely";

/**
 * A fault of an order, payment, size or mail (`where`): `what` is wrong, and `todo` says what to do. WHERE in `todo` is
 * replaced by `where`. `rule` is the number of the violated invariant.
 */
export type Fault = { rule: string; where: string; what: string; todo: string };

/** A query for one kind of fault. Each row names the place and says in words what is wrong. */
export type FaultQuery = { rule: string; todo: string; rows: RawBuilder<{ where: string; what: string }> };

/** The `todo` of faults that the shop's code cannot cause, so that no command repairs them. */
export const NOT_BY_ITSELF =
  "The shop never writes this itself. Make a backup, and show this to the person who looks after the shop's database.";
