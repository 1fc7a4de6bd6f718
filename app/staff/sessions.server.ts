import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { DAY, HOUR, MINUTE } from "#app/infra/durations.ts";
import { deviceName } from "#app/infra/http/device-name.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { CODE_COOKIE, officeCookie, readOfficeCookie, SESSION_COOKIE } from "./cookies.server.ts";
import { carryOver, deleteExpiredDevices, forgetDevices } from "./notifications/devices.server.ts";
import { type Role, roleOf } from "./own-roles.server.ts";

/** The lifetime from the sign-in, however often the session is used. */
const LIFETIME = 14 * DAY;
const IDLE_LIFETIME = 12 * HOUR;
/** The last use of a session is stored at most this often. */
const USE_WRITTEN_EVERY = 5 * MINUTE;
/** The time after the sign-in during which a session may change how the member signs in. */
const FRESH_FOR = 15 * MINUTE;

const IS_ALIVE = sql<boolean>`(staff_sessions.created_at > now() - ${millisecondsSql(LIFETIME)}
  and staff_sessions.used_at > now() - ${millisecondsSql(IDLE_LIFETIME)})`;

/** A signed-in member of staff. */
export type Staff = { id: string; email: string; name: string; role: Role };
/** A session on a device. Times are in ISO 8601. `isThis` marks the session of the request. */
export type StaffSession = { id: string; device: string; createdAt: string; usedAt: string; isThis: boolean };

/** A completed sign-in: whose it is, and the cookies for the response. */
export type SignedIn = { ok: true; cookies: string[]; email: string };

/** A member of staff as an actor in the audit log. */
export const actorOf = ({ email }: { email: string }): Actor => ({ name: email, door: "office" });

export const deviceOf = (request: Request) => deviceName(request.headers.get("user-agent") ?? "");

/** The hash that names the request's session. Undefined if the request has no such cookie. */
export function tokenHashOf(request: Request): Buffer | undefined {
  const token = readOfficeCookie(request, SESSION_COOKIE);
  return token ? secretHash(token) : undefined;
}

/**
 * The member who sent this request. Undefined if nobody is signed in. Read at each request, so that an ended session, a
 * removal or a new role takes effect at once.
 */
export async function currentStaff(request: Request): Promise<Staff | undefined> {
  const tokenHash = tokenHashOf(request);
  if (!tokenHash) return;
  const row = await db()
    .selectFrom("staffSessions")
    .innerJoin("staff", "staff.id", "staffId")
    .leftJoin("staffRoles", "staffRoles.name", "ownRole")
    .select(["staff.id", "email", "staff.name", "role", "ownRole", "permissions"])
    .select(sql<boolean>`used_at > now() - ${millisecondsSql(USE_WRITTEN_EVERY)}`.as("isUseWritten"))
    .where("tokenHash", "=", tokenHash)
    .where(IS_ALIVE)
    .executeTakeFirst();
  if (!row) return;
  const { isUseWritten, role: column, ownRole, permissions, ...member } = row;
  if (!isUseWritten)
    await db().updateTable("staffSessions").set({ usedAt: sql`now()` }).where("tokenHash", "=", tokenHash).execute();
  return { ...member, role: roleOf({ role: column, ownRole, permissions }) };
}

/**
 * Whether the request's session is at most 15 minutes old. Prevents somebody who finds a signed-in device from adding a
 * sign-in of their own.
 */
export async function hasJustSignedIn(request: Request): Promise<boolean> {
  const session = await db()
    .selectFrom("staffSessions")
    .select("id")
    .where("tokenHash", "=", tokenHashOf(request) ?? Buffer.alloc(0))
    .where("createdAt", ">", sql<Date>`now() - ${millisecondsSql(FRESH_FOR)}`)
    .executeTakeFirst();
  return session !== undefined;
}

/** Starts a new session and ends the browser's old one. Returns the cookies for the response. */
export async function beginSession(trx: Transaction, request: Request, staffId: string): Promise<string[]> {
  const token = randomBytes(32).toString("base64url");
  const tokenHash = secretHash(token);
  await carryOver(trx, tokenHashOf(request), { staffId, sessionHash: tokenHash, lifetime: LIFETIME });
  await endSessionOf(trx, request);
  await trx
    .insertInto("staffSessions")
    .values({ tokenHash, staffId, device: deviceOf(request) })
    .execute();
  return [officeCookie(SESSION_COOKIE, token, LIFETIME), officeCookie(CODE_COOKIE, "", 0)];
}

/** Ends the request's session, if there is one. Returns the cookies for the response. */
export async function signOut(request: Request): Promise<string[]> {
  await endSessionOf(db(), request);
  return [officeCookie(SESSION_COOKIE, "", 0)];
}

async function endSessionOf(on: Db | Transaction, request: Request): Promise<void> {
  const tokenHash = tokenHashOf(request);
  if (!tokenHash) return;
  await forgetDevices(on, { session: tokenHash });
  await on.deleteFrom("staffSessions").where("tokenHash", "=", tokenHash).execute();
}

/**
 * The request's session, locked until the transaction ends, so that nobody ends it meanwhile. `endsAt`: when it ends,
 * however often it is used.
 */
export function lockedSession(
  trx: Transaction,
  request: Request,
): Promise<{ tokenHash: Buffer; endsAt: Date } | undefined> {
  return trx
    .selectFrom("staffSessions")
    .select("tokenHash")
    .select(sql<Date>`created_at + ${millisecondsSql(LIFETIME)}`.as("endsAt"))
    .where("tokenHash", "=", tokenHashOf(request) ?? Buffer.alloc(0))
    .where(IS_ALIVE)
    .forUpdate()
    .executeTakeFirst();
}

/** A member's sessions, the most recently used first. */
export async function listSessions(on: Db, request: Request, staffId: string): Promise<StaffSession[]> {
  return (await listAllSessions(on, request, staffId)).get(staffId) ?? [];
}

/** The sessions of all members (or of `only`) by the member's id, the most recently used first. */
export async function listAllSessions(on: Db, request: Request, only?: string): Promise<Map<string, StaffSession[]>> {
  const own = tokenHashOf(request);
  const rows = await on
    .selectFrom("staffSessions")
    .selectAll()
    .$if(only !== undefined, (query) => query.where("staffId", "=", String(only)))
    .where(IS_ALIVE)
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

/**
 * Ends one of a member's sessions, all but the request's, or all, with the notifications there. Returns how many. Safe
 * to repeat: a call that ends none writes nothing to the audit log.
 */
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
    const ended = await query.returning(["device", "tokenHash"]).execute();
    if (which === "all") await forgetDevices(trx, { staffId: staff.id });
    else if ("notOf" in which) await forgetDevices(trx, { staffId: staff.id, but: tokenHashOf(which.notOf) });
    else for (const { tokenHash } of ended) await forgetDevices(trx, { session: tokenHash });
    const subject = { kind: "staff", id: staff.email };
    const before = { devices: ended.map(({ device }) => device) };
    if (ended.length > 0) await recordChange(trx, { by, action: "staff sessions end", subject, before });
    return ended.length;
  };
  return retryingTransaction(on, work);
}

/** Deletes expired sessions, devices that get notifications, invitations and challenges. */
export async function deleteExpiredOfStaff(on: Db): Promise<void> {
  await on.deleteFrom("staffSessions").where(sql<boolean>`not ${IS_ALIVE}`).execute();
  await deleteExpiredDevices(on);
  await on.deleteFrom("staffChallenges").where("expiresAt", "<", sql<Date>`now()`).execute();
  await on.deleteFrom("staffInvitations").where("expiresAt", "<", sql<Date>`now() - interval '30 days'`).execute();
}
