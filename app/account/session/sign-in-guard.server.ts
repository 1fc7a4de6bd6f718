import type { Db } from "#app/infra/database/db.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/infra/durations.ts";
import { pour } from "#app/infra/http/leaky-bucket.server.ts";
import { addressOf, networksOf } from "#app/infra/http/network.ts";
import { awaitTurn, networkTurn, type Turn } from "#app/infra/http/network-turn.server.ts";
import { forgetTries, type Limited, limit, takeTry } from "#app/infra/http/rate-limit.server.ts";
import { knownDevice } from "./known-device.server.ts";

type Limit = readonly [max: number, within: number];
type Limits = { network: Limit; apart?: number; account?: Limit; accountByNetwork?: Limit };

/**
 * How often each form may be sent.
 * `network`: from one network, for any account. Requests beyond it are delayed, at intervals of `apart` ms.
 * `account`: for one account or mail address, from anywhere. Requests beyond it are refused.
 * `accountByNetwork`: for one account from one network, so that strangers cannot use up the owner's limit. Refused,
 * too.
 */
const LIMITS = {
  google: { network: [60, 15 * MINUTE] },
  register: { network: [30, HOUR], apart: 2 * SECOND, account: [5, HOUR] },
  forgot: { network: [30, HOUR], accountByNetwork: [5, HOUR] },
  resend: { network: [30, HOUR], accountByNetwork: [5, HOUR] },
  settings: { network: [60, 15 * MINUTE], account: [20, 15 * MINUTE] },
  code: { network: [60, HOUR], account: [30, HOUR] },
  subscribe: { network: [30, HOUR], account: [5, HOUR] },
} as const satisfies Record<string, Limits>;

/** Counts this request. Beyond the network's limit it is delayed, beyond the account's limit it is refused. */
export async function guard(on: Db, request: Request, form: keyof typeof LIMITS, account = ""): Promise<Turn> {
  const limits: Limits = LIMITS[form];
  const turn = await networkTurn(on, request, form, limits.network, limits.apart);
  if (!turn.ok) return turn;
  const [{ name }] = networksOf(addressOf(request));
  const refused = limits.accountByNetwork
    ? await limit(on, [`${form} for ${account} from ${name}`, ...limits.accountByNetwork])
    : limits.account && (await limit(on, [`${form} for ${account}`, ...limits.account]));
  return refused?.ok === false ? refused : turn;
}

const LOGINS: Limit = [30, 15 * MINUTE];
const WRONG_PASSWORDS: Limit = [10, 15 * MINUTE];
/** Per network, for any account. Attempts on known devices do not count. */
const WRONG_OF_NETWORK: Limit = [60, 15 * MINUTE];

/**
 * `isCrowded`: too many wrong passwords have come from this network, so the response must not tell whether this one is
 * right.
 */
type LoginGuard =
  | { ok: true; isCrowded: false; passwordWasRight(): Promise<void> }
  | { ok: true; isCrowded: true }
  | Extract<Limited, { ok: false }>;

const tries = (email: string) => `login for ${email}`;
const wrongTries = (email: string) => `wrong password for ${email}`;

/**
 * Limits wrong passwords. Each attempt counts as wrong before it is checked, so that simultaneous attempts cannot
 * exceed the limit; the caller reports a right one. A known device has its own counters, apart from its network, so
 * that neither strangers nor neighbours behind the same address can lock the owner out.
 */
export async function guardLogin(on: Db, request: Request, email: string): Promise<LoginGuard> {
  const device = await knownDevice(on, request, email);
  return device ? guardDevice(on, device) : guardStranger(on, request, email);
}

async function guardDevice(on: Db, device: string): Promise<LoginGuard> {
  const counted = await limit(on, [`login on the device ${device}`, ...LOGINS]);
  if (!counted.ok) return counted;
  const taken = await takeTry(on, `wrong password on the device ${device}`, ...WRONG_PASSWORDS);
  return taken.ok ? { ok: true, isCrowded: false, passwordWasRight: taken.giveBack } : taken;
}

async function guardStranger(on: Db, request: Request, email: string): Promise<LoginGuard> {
  const counted = await limit(on, [tries(email), ...LOGINS]);
  if (!counted.ok) return counted;
  const taken = await takeTry(on, wrongTries(email), ...WRONG_PASSWORDS);
  if (!taken.ok) return taken;
  const poured = await pour(on, request, "wrong passwords", ...WRONG_OF_NETWORK);
  if (!poured.isFull) {
    const passwordWasRight = async () => void (await Promise.all([taken.giveBack(), poured.giveBack()]));
    return { ok: true, isCrowded: false, passwordWasRight };
  }
  // A checked attempt stays counted even if the password was right: otherwise the limit of ten wrong ones would reveal
  // it.
  const [network] = networksOf(addressOf(request));
  const turn = await awaitTurn("login", network);
  if (turn.ok) return { ok: true, isCrowded: true };
  await taken.giveBack();
  return turn;
}

/** Resets the counters of an account after its owner has proved their identity, despite strangers' wrong passwords. */
export async function forgetWrongPasswords(on: Db, email: string): Promise<void> {
  await forgetTries(on, [tries(email), wrongTries(email)]);
}
