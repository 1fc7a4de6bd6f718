import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { intervalSql, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { YEAR } from "#app/infra/durations.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";

/**
 * The cookie with the random mark of a known device. The mark does not sign anybody in. It only keeps strangers' wrong
 * passwords from locking this device out (sign-in-guard.server.ts).
 */
const COOKIE = "irepo.device";
/** The time without a sign-in after which a device is forgotten. */
const LIFETIME = YEAR;
/**
 * The most known devices of an account. Beyond it, the devices without a sign-in for the longest time are forgotten.
 */
const MOST = 20;

const IS_ALIVE = `known_devices.used_at > now() - ${intervalSql(LIFETIME)}`;

/** The hash of the mark in the request's cookie, as the database stores it. Undefined without a cookie. */
function markHashOf(request: Request): Buffer | undefined {
  const mark = readCookie(request, COOKIE);
  return mark ? secretHash(mark) : undefined;
}

const ownersOfMarks = statement(
  { takes: { markHashes: sqlType.json<string[]>() }, gives: { mark: sqlType.text, email: sqlType.text } },
  `select encode(mark_hash, 'hex') as mark, email from known_devices join users on users.id = user_id
   where mark_hash = any(array(select decode(asked, 'hex') from jsonb_array_elements_text(:markHashes) asked)) and ${IS_ALIVE}`,
);
const findOwners = batched(async (on, markHashes: string[]) => {
  const rows = await ownersOfMarks(on, { markHashes });
  return new Map(rows.map(({ mark, email }) => [mark, email]));
});

/**
 * The identifier of the device, for the counters of its login attempts. Undefined if the account has not signed in on
 * this device.
 */
export async function knownDevice(on: Db, request: Request, email: string): Promise<string | undefined> {
  const mark = markHashOf(request)?.toString("hex");
  if (mark && (await findOwners(on, mark)).get(mark) === email) return mark;
  return;
}

const keepMarkOfSession = statement(
  { takes: { markHash: sqlType.bytes, sessionId: sqlType.uuid }, gives: { userId: sqlType.text } },
  `with session as (update sessions set mark_hash = :markHash where id = :sessionId returning user_id)
   insert into known_devices (mark_hash, user_id) select :markHash, user_id from session
   on conflict (mark_hash) do update set used_at = now() where known_devices.user_id = excluded.user_id
   returning user_id`,
);

/**
 * Marks the device on which a session has begun, and returns the cookie. An existing mark stays if it belongs to this
 * account. If the session has ended meanwhile, nothing is stored.
 */
export async function markSession(on: Db, request: Request, session: { id: string; userId: string }): Promise<string> {
  const brought = readCookie(request, COOKIE);
  const keep = (mark: string) => keepMarkOfSession(on, { markHash: secretHash(mark), sessionId: session.id });
  if (brought && (await isMarkOf(on, brought, session.userId)) && (await keep(brought)).length > 0)
    return cookie(brought);
  const mark = newMark();
  await keep(mark);
  await endOldest(on, session.userId);
  return cookie(mark);
}

/** Marks the device of a shopper who has just proved to own the account's address. Returns the cookie. */
export async function markDevice(trx: Db | Transaction, userId: string): Promise<string> {
  const mark = newMark();
  await trx
    .insertInto("knownDevices")
    .values({ markHash: secretHash(mark), userId })
    .execute();
  await endOldest(trx, userId);
  return cookie(mark);
}

const newMark = () => randomBytes(32).toString("base64url");
const cookie = (mark: string) => serverCookie(COOKIE, mark, LIFETIME);

async function isMarkOf(on: Db, mark: string, userId: string): Promise<boolean> {
  const device = await on
    .selectFrom("knownDevices")
    .select("userId")
    .where("markHash", "=", secretHash(mark))
    .executeTakeFirst();
  return device?.userId === userId;
}

async function endOldest(on: Db | Transaction, userId: string): Promise<void> {
  const newest = on
    .selectFrom("knownDevices")
    .select("markHash")
    .where("userId", "=", userId)
    .orderBy("usedAt", "desc")
    .limit(MOST);
  await on.deleteFrom("knownDevices").where("userId", "=", userId).where("markHash", "not in", newest).execute();
}

/** Deletes marks of an account: the given ones, all except that of the request, or all. */
export async function endDevices(
  trx: Db | Transaction,
  userId: string,
  which: { marks: Buffer[] } | { notOf: Request } | "all",
): Promise<void> {
  let query = trx.deleteFrom("knownDevices").where("userId", "=", userId);
  if (which !== "all") {
    query =
      "marks" in which
        ? query.where("markHash", "in", [Buffer.alloc(0), ...which.marks])
        : query.where("markHash", "!=", markHashOf(which.notOf) ?? Buffer.alloc(0));
  }
  await query.execute();
}

/** Deletes the marks of devices without a sign-in for `LIFETIME`. */
export async function deleteOldDevices(on: Db): Promise<void> {
  await on
    .deleteFrom("knownDevices")
    .where(sql<boolean>`not (${sql.raw(IS_ALIVE)})`)
    .execute();
}
