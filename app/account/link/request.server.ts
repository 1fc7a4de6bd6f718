import { randomUUID } from "node:crypto";
import { sendResetLink } from "#app/account/password/reset.server.ts";
import { sendVerificationLink } from "#app/account/registration.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { enqueue, type Jobs } from "#app/infra/database/queue.server.ts";
import { HOUR, MINUTE } from "#app/infra/durations.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import type { Purpose } from "./code.server.ts";

const LINKS_AN_HOUR = 5;
/**
 * Beyond `LINKS_AN_HOUR` requests, an address gets at most one link in this time, since strangers in many networks
 * could request links. A request of the owner waits for the next slot and is never refused.
 */
const SLOT = 5 * MINUTE;

/**
 * Requests a link by mail. The work is the same for every address, and a job checks later whether an account has it, so
 * the response time tells nothing about the address.
 */
export async function requestLink(on: Db, purpose: Purpose, email: string): Promise<void> {
  const { ok: few } = await limit(on, [`${purpose} links to ${email}`, LINKS_AN_HOUR, HOUR]);
  const slots = few ? undefined : { key: `${purpose} ${email}`, every: SLOT };
  await retryingTransaction(on, (trx) => enqueue(trx, "send-link", { id: randomUUID(), purpose, email }, { slots }));
}

/** Creates the requested link and queues its mail, if an account has the address. Safe to repeat. */
export async function sendLink(on: Db, { id, purpose, email }: Jobs["send-link"]): Promise<void> {
  await (purpose === "reset" ? sendResetLink : sendVerificationLink)(on, email, id);
}
