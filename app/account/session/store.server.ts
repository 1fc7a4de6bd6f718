import { createHmac, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { hashPassword, isOutdated, NO_PASSWORD, verifyPassword } from "#app/account/password/hash.server.ts";
import { secretHash } from "#app/account/secret-hash.server.ts";
import { batched } from "#app/infra/database/batch.server.ts";
import { type Db, db, type Transaction } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";
import { interval, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { DAY, HOUR, inSeconds, YEAR } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { deviceName } from "./device-name.ts";
import { type Session, SIGNED_IN_COOKIE, type UserSummary } from "./summary.browser.ts";

export type SignedIn = { id: string; email: string; firstName: string; lastName: string; emailVerified: boolean };

const SESSION_COOKIE = "irepo.session";
const DEVICE_COOKIE = "irepo.device";
/** From the sign-in, however often it is used. */
const LIVES = 30 * DAY;
/** Without being used. */
const IDLE = 14 * DAY;
/** A session's use is written down at most this often. */
const USE_RECORDED_EVERY = HOUR;

const ALIVE = `(sessions.created_at > now() - ${interval(LIVES)} and sessions.used_at > now() - ${interval(IDLE)})`;

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
      isRecorded: sqlType.bool,
    },
  },
  `select users.id, email, email_verified, first_name, last_name, encode(token_hash, 'hex') as token,
     sessions.used_at > now() - ${interval(USE_RECORDED_EVERY)} as is_recorded
   from sessions join users on users.id = user_id
   where token_hash = any(array(select decode(asked, 'hex') from jsonb_array_elements_text(:tokenHashes) asked)) and ${ALIVE}`,
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
  const { isRecorded, ...user } = row;
  if (!isRecorded)
    await db().updateTable("sessions").set({ usedAt: sql`now()` }).where("tokenHash", "=", tokenHash).execute();
  return user;
}

export function summaryOf({ id, email, emailVerified, firstName, lastName }: SignedIn): UserSummary {
  return { uid: id, email, emailVerified, firstName, lastName };
}

/** A session that has begun: whose it is, and the cookies for the answer. */
export type Begun = { user: SignedIn; cookies: string[] };
export type SignInResult = ({ ok: true } & Begun) | { ok: false; why: "invalid" | "unverified" };

/** The hash may be replaced while a password is checked against it: by another password, or by the same one kept at another strength. */
const LOOKS = 3;

/** Checks the password and begins a session. Unknown address and wrong password take the same time; `email` is folded already. */
export async function signIn(request: Request, email: string, password: string): Promise<SignInResult> {
  let signed: SignInResult | "changed" = "changed";
  for (let looks = 0; looks < LOOKS && signed === "changed"; looks++)
    signed = await tryToSignIn(request, email, password);
  return signed === "changed" ? { ok: false, why: "invalid" } : signed;
}

async function tryToSignIn(request: Request, email: string, password: string): Promise<SignInResult | "changed"> {
  const row = await db()
    .selectFrom("users")
    .leftJoin("accounts", (join) => join.onRef("userId", "=", "users.id").on("providerId", "=", "credential"))
    .where("email", "=", email)
    .select(["users.id", "email", "firstName", "lastName", "emailVerified", "password as hash"])
    .executeTakeFirst();
  const hash = row?.hash ?? NO_PASSWORD;
  const fits = await verifyPassword(hash, password);
  if (!row || !fits) return { ok: false, why: "invalid" };
  if (!row.emailVerified) return { ok: false, why: "unverified" };
  const begun = await beginSession(request, row, hash);
  if (!begun) return "changed";
  if (isOutdated(hash)) await replaceHash(db(), row.id, hash, await hashPassword(password));
  return { ok: true, ...begun };
}

/** Writes a hash over the one that a password was checked against. False: that one no longer stands. */
export async function replaceHash(
  on: Db | Transaction,
  userId: string,
  checked: string,
  password: string,
): Promise<boolean> {
  const { numUpdatedRows } = await on
    .updateTable("accounts")
    .set({ password, updatedAt: sql`now()` })
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("password", "=", checked)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sets the account's password; `hash` by `hashPassword`. */
export async function savePassword(on: Db | Transaction, userId: string, hash: string): Promise<void> {
  await on
    .insertInto("accounts")
    .values({ userId, accountId: userId, providerId: "credential", password: hash })
    .onConflict((conflict) =>
      conflict.columns(["providerId", "accountId"]).doUpdateSet({ password: hash, updatedAt: sql`now()` }),
    )
    .execute();
}

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
export async function beginSession(request: Request, user: SignedIn, checked: string): Promise<Begun | undefined>;
/** By another proof than a password. */
export async function beginSession(request: Request, user: SignedIn): Promise<Begun>;
export async function beginSession(
  request: Request,
  { id, email, firstName, lastName, emailVerified }: SignedIn,
  checked?: string,
): Promise<Begun | undefined> {
  const token = randomBytes(32).toString("base64url");
  const device = deviceName(request.headers.get("user-agent") ?? "");
  const session = { tokenHash: secretHash(token), userId: id, device };
  if (checked === undefined) await db().insertInto("sessions").values(session).execute();
  else if ((await insertSession(db(), { ...session, checked })).length === 0) return;
  await endSessionOf(request);
  return {
    user: { id, email, firstName, lastName, emailVerified },
    cookies: [
      serverCookie(SESSION_COOKIE, token, LIVES),
      serverCookie(DEVICE_COOKIE, deviceMark(email), YEAR),
      marker(LIVES),
    ],
  };
}

/** Ends this session; the cookies are for the answer. */
export async function signOut(request: Request): Promise<string[]> {
  await endSessionOf(request);
  return [serverCookie(SESSION_COOKIE, "", 0), marker(0)];
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
    .where(sql<boolean>`${sql.raw(ALIVE)}`)
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
    .where(sql<boolean>`not ${sql.raw(ALIVE)}`)
    .execute();
}

/** Has an account's live streams look for their sessions again; those without one end. */
export function endStreams(on: Db | Transaction, userId: string): Promise<void> {
  return publish(on, `cart:${userId}`);
}

/** Says whether this account has signed in on this device before: see sign-in-guard.server.ts. It lets nobody in. */
export function isKnownDevice(request: Request, email: string): boolean {
  return readCookie(request, DEVICE_COOKIE) === deviceMark(email);
}

function deviceMark(email: string): string {
  return createHmac("sha256", env.sessionSecret).update(`device of ${email}`).digest("base64url");
}

function tokenHashOf(request: Request): Buffer | undefined {
  const token = readCookie(request, SESSION_COOKIE);
  return token ? secretHash(token) : undefined;
}

/** Says to the browser's script, without any secret, that somebody signed in here. */
function marker(maxAge: number): string {
  const secure = env.publicUrl.protocol === "https:" ? "; Secure" : "";
  return `${SIGNED_IN_COOKIE}=1; Path=/; SameSite=Lax; Max-Age=${inSeconds(maxAge)}${secure}`;
}
