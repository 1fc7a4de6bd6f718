import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { sendVerificationLink } from "#app/account/registration.server.ts";
import { ownerOfPassword } from "#app/account/session/sign-in.server.ts";
import { beginSession, type NewSession } from "#app/account/session/store.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { millisecondsSql, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { newLinkCode } from "./code.server.ts";

const LIFETIME = 15 * MINUTE;
const MAILS = [3, LIFETIME] as const;

/** The cookie that ties a link to the browser that requested it: other readers of the mail cannot use the link. */
const COOKIE = "irepo.asked";
const SECRET = /^[\w-]{43}$/;

function secretOf(request: Request): string | undefined {
  const secret = readCookie(request, COOKIE);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/**
 * Checks a password without revealing the result. If the password is right, a link is sent to the account's address.
 * The response and the work are the same for a wrong password and an unknown address. The response has to set the
 * returned cookie.
 */
export async function askForSignInLink(on: Db, request: Request, email: string, password: string): Promise<string> {
  const secret = secretOf(request) ?? randomBytes(32).toString("base64url");
  const owner = await ownerOfPassword(email, password);
  const id = randomUUID();
  await retryingTransaction(on, async (trx) => {
    // The locks exclude a concurrent change of the password, which ends all earlier links.
    await sql`
      insert into sign_in_links (id, user_id, browser_hash, expires_at)
      select ${id}, users.id, ${secretHash(secret)}, now() + ${millisecondsSql(LIFETIME)}
      from users join accounts on user_id = users.id
      where users.id = ${owner?.userId ?? ""} and provider_id = 'credential' and password = ${owner?.checked ?? ""}
      for key share of users for share of accounts`.execute(trx);
    await enqueue(trx, "send-sign-in-link", { id });
  });
  return serverCookie(COOKIE, secret, LIFETIME);
}

/**
 * Sends the requested link, if the password was right. Safe to repeat. An unverified address gets a verification link
 * instead.
 */
export async function sendSignInLink(on: Db, id: string): Promise<void> {
  const asked = await on
    .selectFrom("signInLinks")
    .innerJoin("users", "users.id", "userId")
    .select(["userId", "email", "emailVerified"])
    .where("signInLinks.id", "=", id)
    .where("codeHash", "is", null)
    .executeTakeFirst();
  if (!asked) return;
  const { userId, email, emailVerified } = asked;
  if (!(await limit(on, [`sign-in links to ${userId}`, ...MAILS])).ok) return;
  if (!emailVerified) return sendVerificationLink(on, email, id);
  const code = newLinkCode();
  await retryingTransaction(on, async (trx) => {
    const kept = await trx
      .updateTable("signInLinks")
      .set({ codeHash: secretHash(code) })
      .where("id", "=", id)
      .where("codeHash", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (!kept) return;
    await queueMail(trx, {
      key: `sign-in:${userId}:${id}`,
      recipient: email,
      kind: "sign-in",
      data: {
        url: new URL(`/signIn?oobCode=${code}`, env.publicUrl).href,
        resetUrl: new URL("/forgotPassword", env.publicUrl).href,
      },
    });
  });
}

export type SignInLinkState = "live" | "elsewhere" | "over";

/** The state of a link in this browser, without using it up. `elsewhere`: another browser has requested it. */
export async function signInLinkState(on: Db, request: Request, code: string): Promise<SignInLinkState> {
  const link = await on
    .selectFrom("signInLinks")
    .select("browserHash")
    .where("codeHash", "=", secretHash(code))
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
  if (!link) return "over";
  return link.browserHash.equals(secretHash(secretOf(request) ?? "")) ? "live" : "elsewhere";
}

/** Uses a link up. Returns its user and the current password hash. */
const consumeLink = statement(
  {
    takes: { codeHash: sqlType.bytes, browserHash: sqlType.bytes },
    gives: {
      id: sqlType.text,
      email: sqlType.text,
      firstName: sqlType.text,
      lastName: sqlType.text,
      emailVerified: sqlType.bool,
      password: sqlType.orNull(sqlType.text),
    },
  },
  `with used as (
     delete from sign_in_links where code_hash = :codeHash and browser_hash = :browserHash and expires_at > now()
     returning user_id)
   select users.id, email, first_name, last_name, email_verified, password
   from used join users on users.id = used.user_id
     join accounts on accounts.user_id = users.id and provider_id = 'credential'`,
);

/**
 * Signs in by a link, once, in the browser that requested it. Undefined if the link is not valid in this browser, or if
 * the password was changed meanwhile.
 */
export async function signInByLink(on: Db, request: Request, code: string): Promise<NewSession | undefined> {
  const browserHash = secretHash(secretOf(request) ?? "");
  const [used] = await consumeLink(on, { codeHash: secretHash(code), browserHash });
  if (!used?.password) return;
  const { password, ...user } = used;
  return beginSession(request, user, password);
}

/** Deletes expired links. */
export async function deleteExpiredSignInLinks(on: Db): Promise<void> {
  await on.deleteFrom("signInLinks").where("expiresAt", "<", sql<Date>`now()`).execute();
}
