import type { Db } from "#app/infra/database/db.server.ts";
import { inSeconds } from "#app/infra/durations.ts";
import { pour } from "#app/infra/http/leaky-bucket.server.ts";
import { networkTurn } from "#app/infra/http/network-turn.server.ts";
import { takeTry } from "#app/infra/http/rate-limit.server.ts";
import { REST, type Resting, type Wrong } from "./refusals.ts";

const WRONG_TRIES = 5;
const FROM_ONE_NETWORK = 60;

export type Try = { ok: true; wrong: Wrong; wasRight(): Promise<void> } | Resting;

/** Counts a request without a session, whatever it is for, against the limit of its network. */
export async function countRequest(on: Db, request: Request): Promise<{ ok: true } | Resting> {
  const turn = await networkTurn(on, request, "office sign-in", [FROM_ONE_NETWORK, REST]);
  return turn.ok ? turn : { ...turn, why: "rest" };
}

/**
 * Counts a sign-in attempt as wrong before checking it, so that simultaneous attempts cannot exceed the limit.
 * `wasRight` takes the count back. `whose` is the address as typed, or the member's id, so that an unknown address gets
 * the same response as a known one. Recovery codes cannot be guessed, so they are exempt from the limit on the
 * network's wrong tries.
 */
export async function takeSignInTry(
  on: Db,
  request: Request,
  secret: "password" | "code" | "recovery code",
  whose: string,
): Promise<Try> {
  const counted = await countRequest(on, request);
  if (!counted.ok) return counted;
  const taken = await takeTry(on, `wrong office ${secret} for ${whose}`, WRONG_TRIES, REST);
  if (!taken.ok) return { ...taken, why: "rest" };
  const wrong: Wrong = { ok: false, why: "wrong", left: taken.left };
  if (secret === "recovery code") return { ok: true, wrong, wasRight: taken.giveBack };
  const poured = await pour(on, request, "wrong office tries", FROM_ONE_NETWORK, REST);
  if (!poured.isFull) {
    const wasRight = async () => void (await Promise.all([taken.giveBack(), poured.giveBack()]));
    return { ok: true, wrong, wasRight };
  }
  await taken.giveBack();
  return { ok: false, why: "rest", ofNetwork: true, retryAfter: Math.ceil(inSeconds(REST) / FROM_ONE_NETWORK) };
}
