import type { Transaction } from "#app/infra/database/db.server.ts";

/**
 * The result of a change. `isRepeat`: it had already been done, and nothing was changed. `since`: it was refused
 * because of these acts of others. `recorded`: additional data for the audit log. `field`: the field with the invalid
 * input.
 */
export type Done =
  | { ok: true; what: string; isRepeat?: true; recorded?: object }
  | { ok: false; problem: string; field?: string; since?: Act[] };

/** An act of somebody on an order. */
export type Act = { at: Date; by: string; action: string };

/** Runs work in a transaction: a new one, or that of a caller who does more in it. */
export type InTransaction = (work: (trx: Transaction) => Promise<Done>) => Promise<Done>;
