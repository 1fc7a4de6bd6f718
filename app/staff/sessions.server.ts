import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { milliseconds } from "#app/infra/database/statement.server.ts";
import { DAY, HOUR, MINUTE } from "#app/infra/durations.ts";
import { deviceName } from "#app/infra/http/device-name.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { CODE_COOKIE, officeCookie, readOfficeCookie, SESSION_COOKIE } from "./cookies.server.ts";
import type { Role } from "./roles.ts";

/** From the sign-in, however often it is used. */
const LIFETIME = 14 * DAY;
const IDLE_LIFETIME = 12 * HOUR;
/** A session's use is written down at most this often. */
const USE_WRITTEN_EVERY = 5 * MINUTE;
/** How long a sign-in proves who sits there, for what changes the ways to sign in. */
const FRESH_FOR = 15 * MINUTE;

const isAlive = sql<boolean>`(staff_sessions.created_at > now() - ${milliseconds(LIFETIME)}
  and staff_sessions.used_at > now() - ${milliseconds(IDLE_LIFETIME)})`;

/** Whoever is signed in to the office. */
export type Staff = { id: string; email: string; name: string; role: Role };
/** A signed-in device. Times as ISO 8601; `isThis` is the one that asks. */
export type StaffSession = { id: string; device: string; createdAt: string; usedAt: string; isThis: boolean };

/** A sign-in that is done: whose, and the cookies for the answer. */
export type SignedIn = { ok: true; cookies: string[]; email: string };

/** A member of staff as the log names them. */
export const actorOf = ({ email }: { email: string }): Actor => ({ name: email, door: "office" });

export const deviceOf = (request: Request) => deviceName(request.headers.get("user-agent") ?? "");

function tokenHashOf(request: Request): Buffer | undefined {
  const token = readOfficeCookie(request, SESSION_COOKIE);
  return token ? secretHash(token) : undefined;
}

/** Who sent this request; undefined for a stranger. Looked up each time: an ended session, a removal and another role count at once. */
export async function currentStaff(request: Request): Promise<Staff | undefined> {
  const tokenHash = tokenHashOf(request);
  if (!tokenHash) return;
  const row = await db()
    .selectFrom("staffSessions")
    .innerJoin("staff", "staff.id", "staffId")
    .select(["staff.id", "email", "name", "role"])
    .select(sql<boolean>`used_at > now() - ${milliseconds(USE_WRITTEN_EVERY)}`.as("isUseWritten"))
    .where("tokenHash", "=", tokenHash)
    .where(isAlive)
    .executeTakeFirst();
  if (!row) return;
  const { isUseWritten, ...staff } = row;
  if (!isUseWritten)
    await db().updateTable("staffSessions").set({ usedAt: sql`now()` }).where("tokenHash", "=", tokenHash).execute();
  return staff;
}

/** Whether this request's session began a moment ago: whoever finds a device signed in must not make it theirs. */
export async function hasJustSignedIn(request: Request): Promise<boolean> {
  const session = await db()
    .selectFrom("staffSessions")
    .select("id")
    .where("tokenHash", "=", tokenHashOf(request) ?? Buffer.alloc(0))
    .where("createdAt", ">", sql<Date>`now() - ${milliseconds(FRESH_FOR)}`)
    .executeTakeFirst();
  return session !== undefined;
}

/** Begins a session, always a new one, and ends the one that the browser had; the cookies are for the answer. */
export async function beginSession(trx: Transaction, request: Request, staffId: string): Promise<string[]> {
  const token = randomBytes(32).toString("base64url");
  await endSessionOf(trx, request);
  await trx
    .insertInto("staffSessions")
    .values({ tokenHash: secretHash(token), staffId, device: deviceOf(request) })
    .execute();
  return [officeCookie(SESSION_COOKIE, token, LIFETIME), officeCookie(CODE_COOKIE, "", 0)];
}

/** Ends this session, if there is one; the cookies are for the answer. */
export async function signOut(request: Request): Promise<string[]> {
  await endSessionOf(db(), request);
  return [officeCookie(SESSION_COOKIE, "", 0)];
}

async function endSessionOf(on: Db | Transaction, request: Request): Promise<void> {
  const tokenHash = tokenHashOf(request);
  if (tokenHash) await on.deleteFrom("staffSessions").where("tokenHash", "=", tokenHash).execute();
}

/** A member's sessions, the last used first. */
export async function listSessions(on: Db, request: Request, staffId: string): Promise<StaffSession[]> {
  return (await listAllSessions(on, request, staffId)).get(staffId) ?? [];
}

/** Everybody's sessions, or only those of one member, by the id of the member; of each the last used first. */
export async function listAllSessions(on: Db, request: Request, only?: string): Promise<Map<string, StaffSession[]>> {
  const own = tokenHashOf(request);
  const rows = await on
    .selectFrom("staffSessions")
    .selectAll()
    .$if(only !== undefined, (query) => query.where("staffId", "=", String(only)))
    .where(isAlive)
    .orderBy("usedAt", "desc")
    .execute();
  const sessions = new Map<string, StaffSession[]>();
  for (const { staffId, id, device, createdAt, usedAt, tokenHash } of rows) {
    const isThis = own !== undefined && tokenHash.equals(own);
    const session = { id, device, createdAt: createdAt.toISOString(), usedAt: usedAt.toISOString(), isThis };
    sessions.set(staffId, [...(sessions.get(staffId) ?? []), session]);
  }
  return sessions;
}

/** Ends one session of a member, or all but the request's. Safe to repeat; what ends nothing is not written down. */
export async function endSessions(
  on: Db | Transaction,
  by: Actor,
  staff: { id: string; email: string },
  which: { id: string } | { notOf: Request } | "all",
): Promise<number> {
  const work = async (trx: Transaction) => {
    let query = trx.deleteFrom("staffSessions").where("staffId", "=", staff.id);
    if (which !== "all")
      query =
        "id" in which
          ? query.where("id", "=", which.id)
          : query.where("tokenHash", "!=", tokenHashOf(which.notOf) ?? Buffer.alloc(0));
    const ended = await query.returning("device").execute();
    const subject = { kind: "staff", id: staff.email };
    const before = { devices: ended.map(({ device }) => device) };
    if (ended.length > 0) await recordChange(trx, { by, action: "staff sessions end", subject, before });
    return ended.length;
  };
  return retryingTransaction(on, work);
}

/** Takes away sessions, invitations and challenges that are over. */
export async function deleteExpiredOfStaff(on: Db): Promise<void> {
  await on.deleteFrom("staffSessions").where(sql<boolean>`not ${isAlive}`).execute();
  await on.deleteFrom("staffChallenges").where("expiresAt", "<", sql<Date>`now()`).execute();
  await on.deleteFrom("staffInvitations").where("expiresAt", "<", sql<Date>`now() - interval '30 days'`).execute();
}
