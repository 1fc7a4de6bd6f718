import type { RawBuilder } from "kysely";

/** `what` is wrong with an order, a payment, a size or a mail (`where`), and what to do about it, in which WHERE stands for it. `rule` numbers the invariant. */
export type Fault = { rule: string; where: string; what: string; todo: string };

/** A query whose rows name the places of one kind of fault, and say in words what is wrong there. */
export type FaultQuery = { rule: string; todo: string; rows: RawBuilder<{ where: string; what: string }> };

/** The shop never writes this by itself: no command mends it. */
export const NOT_BY_ITSELF =
  "The shop does not write this by itself: make a backup, and show it to whoever looks after the shop's database.";
