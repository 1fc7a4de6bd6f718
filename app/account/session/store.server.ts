import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { batched } from "#app/infra/database/batch.server.ts";
import { type Db, db, type Transaction } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";
import { intervalSql, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { deviceName } from "#app/infra/http/device-name.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { endedSessionCookies, sessionCookies, tokenHashOf } from "./cookies.server.ts";
import { endDevices, markSession } from "./known-device.server.ts";
import { SESSION_IDLE_LIFETIME, SESSION_LIFETIME } from "./lifetime.ts";
import type { Session, UserSummary } from "./summary.ts";
import { withoutOthersForm } from "./typed-form.server.ts";

/** A user whose identity is proved. */
export type SignedIn = { id: string; email: string; firstName: string; lastName: string; emailVerified: boolean };

/** The shortest interval in ms between two updates of a session's `usedAt`. */
const USE_WRITTEN_EVERY = HOUR;

const IS_ALIVE = `(sessions.created_at > now() - ${intervalSql(SESSION_LIFETIME)}
  and sessions.used_at > now() - ${intervalSql(SESSION_IDLE_LIFETIME)})`;

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
      cartCount: sqlType.int,
    },
  },
  `select users.id, email, email_verified, first_name, last_name, encode(token_hash, 'hex') as token,
     sessions.used_at > now() - ${intervalSql(USE_WRITTEN_EVERY)} as is_use_written,
     (select coalesce(sum(quantity), 0)::int from cart_lines where cart_lines.user_id = users.id) as cart_count
   from sessions join users on users.id = user_id
   where token_hash = any(array(select decode(asked, 'hex') from jsonb_array_elements_text(:tokenHashes) asked)) and ${IS_ALIVE}`,
);
const findSessions = batched(async (on, tokens: string[]) => {
  const rows = await usersOfSessions(on, { tokenHashes: tokens });
  return new Map(rows.map(({ token, ...row }) => [token, row]));
});

/**
 * The user of the request's session cookie; null for a guest. Each call reads the session from the database, so that an
 * ended session is invalid at once.
 */
export async function currentUser(request: Request): Promise<SignedIn | null> {
  return (await currentShopper(request))?.user ?? null;
}

/** Like `currentUser`, plus the number of units in the account's cart, with a single query for pages that show both. */
export async function currentShopper(request: Request): Promise<{ user: SignedIn; cartCount: number } | null> {
  const tokenHash = tokenHashOf(request);
  if (!tokenHash) return null;
  const token = tokenHash.toString("hex");
  const row = (await findSessions(db(), token)).get(token);
  if (!row) return null;
  const { isUseWritten, cartCount, ...user } = row;
  if (!isUseWritten)
    await db().updateTable("sessions").set({ usedAt: sql`now()` }).where("tokenHash", "=", tokenHash).execute();
  return { user, cartCount };
}

/** The user's data for the browser. */
export function summaryOf({ id, email, emailVerified, firstName, lastName }: SignedIn): UserSummary {
  return { uid: id, email, emailVerified, firstName, lastName };
}

/** A new session: its user, and the cookies that the response has to set. */
export type NewSession = { user: SignedIn; cookies: string[] };
/**
 * The locks exclude a concurrent change of the password: the session begins either before the change, which then ends
 * it, or not at all.
 */
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
 * Begins a new session for a user whose identity is proved, and ends the browser's previous session. `checked` is the
 * hash that the password was checked against. Undefined if the account has another hash by now.
 */
export async function beginSession(request: Request, user: SignedIn, checked: string): Promise<NewSession | undefined>;
/** For a proof other than a password. */
export async function beginSession(request: Request, user: SignedIn): Promise<NewSession>;
export async function beginSession(
  request: Request,
  { id, email, firstName, lastName, emailVerified }: SignedIn,
  checked?: string,
): Promise<NewSession | undefined> {
  const token = randomBytes(32).toString("base64url");
  const device = deviceName(request.headers.get("user-agent") ?? "");
  const session = { tokenHash: secretHash(token), userId: id, device };
  const [begun] =
    checked === undefined
      ? await db().insertInto("sessions").values(session).returning("id").execute()
      : await insertSession(db(), { ...session, checked });
  if (!begun) return;
  await endSessionOf(request);
  await endOldSessions(id);
  return {
    user: { id, email, firstName, lastName, emailVerified },
    cookies: [
      ...sessionCookies(token),
      await markSession(db(), request, { id: begun.id, userId: id }),
      ...withoutOthersForm(request, id),
    ],
  };
}

/** The most simultaneous sessions of an account. */
export const MOST_SESSIONS = 50;

/** Ends the oldest sessions of an account beyond `MOST_SESSIONS`. */
async function endOldSessions(userId: string): Promise<void> {
  const { rows } = await sql`
    delete from sessions where token_hash in (
      select token_hash from sessions where user_id = ${userId} order by created_at desc offset ${MOST_SESSIONS}
    ) returning user_id`.execute(db());
  if (rows.length > 0) await endStreams(db(), userId);
}

/** Ends the request's session, if any. The response has to set the returned cookies. */
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

/**
 * The account's sessions, last used first. An account from before the limit may have more than `MOST_SESSIONS`; only
 * the newest are listed.
 */
export async function listSessions(request: Request, userId: string): Promise<Session[]> {
  const rows = await db()
    .selectFrom("sessions")
    .selectAll()
    .where("userId", "=", userId)
    .where(sql<boolean>`${sql.raw(IS_ALIVE)}`)
    .orderBy("createdAt", "desc")
    .limit(MOST_SESSIONS)
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

/**
 * Ends sessions of an account and forgets their devices: one session, all except that of the request, or all. The
 * caller has to call `endStreams` after the commit.
 */
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
  const ended = await query.returning("markHash").execute();
  const marks = ended.flatMap(({ markHash }) => markHash ?? []);
  await endDevices(trx, userId, which !== "all" && "id" in which ? { marks } : which);
}

/** Deletes expired sessions. */
export async function deleteEndedSessions(on: Db): Promise<void> {
  await on
    .deleteFrom("sessions")
    .where(sql<boolean>`not ${sql.raw(IS_ALIVE)}`)
    .execute();
}

/** Makes the account's live streams check their sessions again. Streams without a valid session end. */
export function endStreams(on: Db | Transaction, userId: string): Promise<void> {
  return publish(on, `cart:${userId}`);
}
