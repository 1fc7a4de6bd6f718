import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { batched } from "#app/infra/database/batch.server.ts";
import { type Db, db, type Transaction } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";
import { interval, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { deviceName } from "#app/infra/http/device-name.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { endedSessionCookies, sessionCookies, tokenHashOf } from "./cookies.server.ts";
import { SESSION_IDLE_LIFETIME, SESSION_LIFETIME } from "./lifetime.ts";
import type { Session, UserSummary } from "./summary.ts";

/** Whoever has proved to be this user. */
export type SignedIn = { id: string; email: string; firstName: string; lastName: string; emailVerified: boolean };

/** A session's use is written down at most this often. */
const USE_WRITTEN_EVERY = HOUR;

const IS_ALIVE = `(sessions.created_at > now() - ${interval(SESSION_LIFETIME)}
  and sessions.used_at > now() - ${interval(SESSION_IDLE_LIFETIME)})`;

const usersOfSessions = statement(
  {
    takes: { tokenHashes: sqlType.json<string[]>() },
    gives: {
      id: sqlType.text,
      email: sqlType.text,
      emailVerified: sqlType.bool,
      firstName: sqlType.text,
      lastName: sqlType.text,
      token: sqlType.text,
      isUseWritten: sqlType.bool,
    },
  },
  `select users.id, email, email_verified, first_name, last_name, encode(token_hash, 'hex') as token,
     sessions.used_at > now() - ${interval(USE_WRITTEN_EVERY)} as is_use_written
   from sessions join users on users.id = user_id
   where token_hash = any(array(select decode(asked, 'hex') from jsonb_array_elements_text(:tokenHashes) asked)) and ${IS_ALIVE}`,
);
const findSessions = batched(async (on, tokens: string[]) => {
  const rows = await usersOfSessions(on, { tokenHashes: tokens });
  return new Map(rows.map(({ token, ...row }) => [token, row]));
});

/** Who sent this request, by the session cookie; null for a guest. The session is looked up each time: ending it ends it at once. */
export async function currentUser(request: Request): Promise<SignedIn | null> {
  const tokenHash = tokenHashOf(request);
  if (!tokenHash) return null;
  const token = tokenHash.toString("hex");
  const row = (await findSessions(db(), token)).get(token);
  if (!row) return null;
  const { isUseWritten, ...user } = row;
  if (!isUseWritten)
    await db().updateTable("sessions").set({ usedAt: sql`now()` }).where("tokenHash", "=", tokenHash).execute();
  return user;
}

/** What the browser may know of its shopper. */
export function summaryOf({ id, email, emailVerified, firstName, lastName }: SignedIn): UserSummary {
  return { uid: id, email, emailVerified, firstName, lastName };
}

/** A session that has begun: whose it is, and the cookies for the answer. */
export type NewSession = { user: SignedIn; cookies: string[] };
/** Locked against whoever sets a password: a session begins either before that, and is ended by it, or not at all. */
const insertSession = statement(
  {
    takes: { tokenHash: sqlType.bytes, userId: sqlType.text, device: sqlType.text, checked: sqlType.text },
    gives: { id: sqlType.uuid },
  },
  `insert into sessions (token_hash, user_id, device)
   select :tokenHash, users.id, :device from users join accounts on user_id = users.id
   where users.id = :userId and provider_id = 'credential' and password = :checked
   for key share of users for share of accounts
   returning id`,
);

/**
 * Begins a session, always a new one, for a user who has proved to be that one, and ends the one that the browser had. `checked` is the hash that the
 * password was checked against; undefined: it no longer stands.
 */
export async function beginSession(request: Request, user: SignedIn, checked: string): Promise<NewSession | undefined>;
/** By another proof than a password. */
export async function beginSession(request: Request, user: SignedIn): Promise<NewSession>;
export async function beginSession(
  request: Request,
  { id, email, firstName, lastName, emailVerified }: SignedIn,
  checked?: string,
): Promise<NewSession | undefined> {
  const token = randomBytes(32).toString("base64url");
  const device = deviceName(request.headers.get("user-agent") ?? "");
  const session = { tokenHash: secretHash(token), userId: id, device };
  if (checked === undefined) await db().insertInto("sessions").values(session).execute();
  else if ((await insertSession(db(), { ...session, checked })).length === 0) return;
  await endSessionOf(request);
  return {
    user: { id, email, firstName, lastName, emailVerified },
    cookies: sessionCookies(token, email),
  };
}

/** Ends this session, if there is one; the cookies are for the answer. */
export async function signOut(request: Request): Promise<string[]> {
  await endSessionOf(request);
  return endedSessionCookies();
}

async function endSessionOf(request: Request): Promise<void> {
  const tokenHash = tokenHashOf(request);
  if (!tokenHash) return;
  const ended = await db().deleteFrom("sessions").where("tokenHash", "=", tokenHash).returning("userId").execute();
  for (const { userId } of ended) await endStreams(db(), userId);
}

/** The account's sessions, the last used first. */
export async function listSessions(request: Request, userId: string): Promise<Session[]> {
  const rows = await db()
    .selectFrom("sessions")
    .selectAll()
    .where("userId", "=", userId)
    .where(sql<boolean>`${sql.raw(IS_ALIVE)}`)
    .execute();
  const own = tokenHashOf(request);
  return rows
    .sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime())
    .map(({ id, device, createdAt, usedAt, tokenHash }) => ({
      id,
      device,
      createdAt: createdAt.toISOString(),
      usedAt: usedAt.toISOString(),
      isThis: own !== undefined && tokenHash.equals(own),
    }));
}

/** Ends sessions of an account: one, all others than the request's, or all. `endStreams` is to follow the commit. */
export async function endSessions(
  trx: Db | Transaction,
  userId: string,
  which: { id: string } | { notOf: Request } | "all",
): Promise<void> {
  let query = trx.deleteFrom("sessions").where("userId", "=", userId);
  if (which !== "all") {
    query =
      "id" in which
        ? query.where("id", "=", which.id)
        : query.where("tokenHash", "!=", tokenHashOf(which.notOf) ?? Buffer.alloc(0));
  }
  await query.execute();
}

/** Takes away sessions that have ended by themselves. */
export async function deleteEndedSessions(on: Db): Promise<void> {
  await on
    .deleteFrom("sessions")
    .where(sql<boolean>`not ${sql.raw(IS_ALIVE)}`)
    .execute();
}

/** Has an account's live streams look for their sessions again; those without one end. */
export function endStreams(on: Db | Transaction, userId: string): Promise<void> {
  return publish(on, `cart:${userId}`);
}
