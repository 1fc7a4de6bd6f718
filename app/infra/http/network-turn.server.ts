import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#app/infra/database/db.server.ts";
import { inSeconds, SECOND } from "#app/infra/durations.ts";
import { addressOf, type Network, networksOf } from "./network.ts";
import { type Limited, limit } from "./rate-limit.server.ts";

/** The longest wait: a request whose turn would come later is refused. */
const LONGEST_WAIT = 4 * SECOND;
/** The time between two turns of one network. */
const APART = SECOND / 2;
const MOST_NETWORKS = 10_000;

/** When the last assigned turn comes, by kind and network; in this process alone. */
const lastTurns = new Map<string, number>();

/** Waits for a turn of this network; its turns are `apart` ms apart. */
export async function awaitTurn(kind: string, { name }: Network, apart = APART): Promise<Limited> {
  const key = `${kind} from ${name}`;
  const now = performance.now();
  const turn = Math.max(now, lastTurns.get(key) ?? 0) + apart;
  if (turn - now > LONGEST_WAIT) return { ok: false, retryAfter: Math.ceil(inSeconds(turn - now)) };
  lastTurns.delete(key);
  lastTurns.set(key, turn);
  if (lastTurns.size > MOST_NETWORKS) forgetPast(now);
  await sleep(turn - now);
  return { ok: true };
}

function forgetPast(now: number): void {
  for (const [key, turn] of lastTurns) if (turn < now) lastTurns.delete(key);
}

/** `isCrowded`: whether the request had to wait for its turn. */
export type Turn = { ok: true; isCrowded: boolean } | Extract<Limited, { ok: false }>;

/**
 * Lets `max` requests per `within` ms from one network through at once. Later ones wait for their turn and are answered
 * all the same: thousands of people may be behind one carrier's address. A request that waits in a narrow network does
 * not count in the wider ones.
 */
export async function networkTurn(
  on: Db,
  request: Request,
  kind: string,
  [max, within]: readonly [max: number, within: number],
  apart?: number,
): Promise<Turn> {
  for (const network of networksOf(addressOf(request))) {
    const counted = await limit(on, [`${kind} from ${network.name}`, max * network.visitors, within]);
    if (counted.ok) continue;
    const turn = await awaitTurn(kind, network, apart);
    return turn.ok ? { ok: true, isCrowded: true } : turn;
  }
  return { ok: true, isCrowded: false };
}
