import { argon2 } from "node:crypto";
import { promisify } from "node:util";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { keepLinkCode, newLinkCode } from "#app/account/link/code.server.ts";
import { resetPassword } from "#app/account/password/reset.server.ts";
import { checkedHash, savePassword } from "#app/account/password/store.server.ts";
import { signIn } from "#app/account/session/sign-in.server.ts";
import { beginSession, currentUser, endSessions, type SignedIn } from "#app/account/session/store.server.ts";
import { changePassword } from "#app/account/settings/change.server.ts";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import * as messages from "#app/messages.ts";
import { action as login } from "#app/routes/login.tsx";
import { countBlocked } from "#tests/support/blocked.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeShopper } from "#tests/support/shop.ts";

const database = useDatabase();
const db = () => database.db();
const OLD = "harmony";
const NEW = "melodious";

type Owner = { id: string; email: string };

async function newOwner(hash = hashPassword(OLD)): Promise<Owner> {
  const { id, email } = await makeShopper(db());
  await savePassword(db(), id, await hash);
  return { id, email };
}

async function resetLink({ id }: Owner): Promise<string> {
  const code = newLinkCode();
  await db()
    .transaction()
    .execute((trx) => keepLinkCode(trx, id, "reset", code));
  return code;
}

const request = (cookie = "") => new Request("http://localhost:3000/login", { headers: { cookie } });
const cookieOf = (cookies: string[]) => cookies.map((cookie) => cookie.split(";")[0]).join("; ");
const sessionsOf = ({ id }: Owner) => db().selectFrom("sessions").selectAll().where("userId", "=", id).execute();

async function cookieAfterLogin({ email }: Owner): Promise<string> {
  const signed = await signIn(request(), email, OLD);
  if (!signed.ok) throw new Error(signed.why);
  return cookieOf(signed.cookies);
}

/**
 * The result of `work` when it reads the old password while a transaction is setting a new one, which commits only
 * after that read.
 */
async function overtakenByReset<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
  const hash = await hashPassword(NEW);
  const reset = async (trx: Transaction) => {
    await trx.updateTable("users").set({ emailVerified: true }).where("id", "=", owner.id).execute();
    await savePassword(trx, owner.id, hash);
    await endSessions(trx, owner.id, "all");
  };
  return overtakenBy(reset, work);
}

/** The result of `work` when it reads the state before `change`, which commits only after that read. */
async function overtakenBy<T>(change: (trx: Transaction) => Promise<void>, work: () => Promise<T>): Promise<T> {
  const changing = await db().startTransaction().execute();
  await change(changing);
  let isDone = false;
  const result = work().finally(() => {
    isDone = true;
  });
  await expect.poll(async () => isDone || (await countBlocked(db())) > 0).toBe(true);
  await changing.commit().execute();
  return result;
}

/**
 * Opens all connections before each test: on a busy machine, opening them at once takes longer than the timeout for a
 * connection.
 */
beforeEach(async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => db().startTransaction().execute()));
  await Promise.all(all.map((one) => one.rollback().execute()));
});

const works = async ({ email }: Owner, password: string) => (await signIn(request(), email, password)).ok;

describe("while a password is reset", () => {
  test("a login with the old one begins no session", async () => {
    const owner = await newOwner();
    expect(await overtakenByReset(owner, () => signIn(request(), owner.email, OLD))).toEqual({
      ok: false,
      why: "invalid",
    });
    expect(await sessionsOf(owner)).toEqual([]);
  });

  test("24 simultaneous logins with the old one leave no session", async () => {
    const owner = await newOwner();
    const code = await resetLink(owner);
    const logins = Array.from({ length: 24 }, () => signIn(request(), owner.email, OLD));
    const [reset, ...signed] = await Promise.all([resetPassword(db(), code, NEW), ...logins]);
    expect(reset).toMatchObject({ ok: true });
    const cookies = signed.flatMap((one) => (one.ok ? [cookieOf(one.cookies)] : []));
    expect(await Promise.all(cookies.map((cookie) => currentUser(request(cookie))))).toEqual(cookies.map(() => null));
    expect(await sessionsOf(owner)).toEqual([]);
  });

  test("a login that hashes the old one with new parameters does not restore it", async () => {
    const nonce = Buffer.from("sixteen bytes ok");
    const weak = { message: OLD, nonce, tagLength: 32, memory: 8, passes: 1, parallelism: 1 };
    const text = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
    const hash = `$argon2id$v=19$m=8,t=1,p=1$${text(nonce)}$${text(await promisify(argon2)("argon2id", weak))}`;
    const owner = await newOwner(Promise.resolve(hash));
    await overtakenByReset(owner, () => signIn(request(), owner.email, OLD));
    expect([await works(owner, OLD), await works(owner, NEW)]).toEqual([false, true]);
    const many = await newOwner(Promise.resolve(hash));
    const logins = await Promise.all(Array.from({ length: 6 }, () => works(many, OLD)));
    expect(logins).toEqual(Array(6).fill(true));
  });

  test("the old one cannot be used to set a third one", async () => {
    const owner = await newOwner();
    const user: SignedIn = { ...owner, firstName: "", lastName: "", emailVerified: true };
    const here = request(await cookieAfterLogin(owner));
    const change = () => changePassword(db(), here, user, { current: OLD, next: "a stranger's" });
    expect(await overtakenByReset(owner, change)).toBe(false);
    expect([await works(owner, "a stranger's"), await works(owner, NEW)]).toEqual([false, true]);
  });

  test("the old one cannot be used to delete the account, also if there was no password before", async () => {
    const owner = await newOwner();
    const checked = await checkedHash(db(), owner.id, OLD);
    const byGoogle = await makeShopper(db());
    for (const [who, proof] of [
      [owner, { checked }],
      [byGoogle, { checked: undefined }],
    ] as const) {
      const deleted = await overtakenByReset(who, () => deleteCustomer(db(), who.id, { proof }));
      expect(deleted).toEqual({ ok: false, why: "password-changed" });
      expect(await works(who, NEW)).toBe(true);
    }
    expect(
      await deleteCustomer(db(), owner.id, { proof: { checked: await checkedHash(db(), owner.id, NEW) } }),
    ).toEqual({
      ok: true,
    });
  });
});

test("No user record, 'User data not found': a right sign-in while its account is deleted", async () => {
  const owner = await newOwner();
  const remove = async (trx: Transaction) => {
    await trx.deleteFrom("users").where("id", "=", owner.id).execute();
  };
  const body = new URLSearchParams({ email: owner.email, password: OLD });
  const posted = new Request("http://localhost:3000/login", { method: "POST", body });
  const answer = await overtakenBy(remove, () => login({ request: posted } as Parameters<typeof login>[0]));
  expect(answer).toMatchObject({
    data: { ok: false, errors: { form: messages.login.noUserRecord } },
    init: { status: 400 },
  });
  expect(messages.login.noUserRecord).toBe("User data not found");
  // After that, the response does not tell whether the account ever existed.
  expect(await signIn(request(), owner.email, OLD)).toEqual({ ok: false, why: "invalid" });
});

test("S27 each kind of sign-in ends the browser's previous session, and no other", async () => {
  const owner = await newOwner();
  const [here, there] = [await cookieAfterLogin(owner), await cookieAfterLogin(owner)];
  const again = await signIn(request(here), owner.email, OLD);
  expect(await currentUser(request(here))).toBeNull();
  const user: SignedIn = { ...(await makeShopper(db())), firstName: "", lastName: "" };
  const byGoogle = await beginSession(request(again.ok ? cookieOf(again.cookies) : ""), user);
  expect((await sessionsOf(owner)).length).toBe(1);
  expect(await currentUser(request(there))).toMatchObject({ email: owner.email });
  expect(await currentUser(request(cookieOf(byGoogle.cookies)))).toMatchObject({ email: user.email });
  // A failed login ends no session.
  await signIn(request(there), owner.email, "wrong-one");
  expect(await currentUser(request(there))).not.toBeNull();
});

describe("tries at the login", () => {
  let networks = 0;
  async function logIn({ email }: Owner, password: string, cookie = ""): Promise<number> {
    const headers = { cookie, "x-irepo-client": `198.51.${networks >> 8}.${networks++ & 255}` };
    const body = new URLSearchParams({ email, password });
    const posted = new Request("http://localhost:3000/login", { method: "POST", headers, body });
    const answer = await login({ request: posted } as Parameters<typeof login>[0]);
    return answer instanceof Response ? answer.status : (answer.init?.status ?? 200);
  }
  const guess = (owner: Owner, count: number, cookie?: string) =>
    Promise.all(Array.from({ length: count }, () => logIn(owner, "wrong-one", cookie)));

  test("S05 of 45 simultaneous guesses 10 are checked, from any network, and the owner's own device still gets in", async () => {
    const owner = await newOwner();
    const device = await cookieAfterLogin(owner);
    expect((await guess(owner, 45)).filter((status) => status === 400)).toHaveLength(10);
    expect(await logIn(owner, OLD)).toBe(429);
    expect(await logIn(owner, OLD, device)).toBe(303);
  });

  test("S05 an address that imitates the counter of a known device does not lock that device out", async () => {
    const owner = await newOwner();
    const device = await cookieAfterLogin(owner);
    await guess({ ...owner, email: `${owner.email} on a known device` }, 45);
    expect(await logIn(owner, OLD, device)).toBe(303);
  });

  test("are limited on a known device, too", async () => {
    const owner = await newOwner();
    const device = await cookieAfterLogin(owner);
    expect((await guess(owner, 25, device)).filter((status) => status === 400)).toHaveLength(10);
    expect(await logIn(owner, OLD, device)).toBe(429);
    expect(await logIn(owner, OLD)).toBe(303);
  });

  test("a right password does not count, at once or in turns, and a refused try neither", async () => {
    const owner = await newOwner();
    expect(await Promise.all(Array.from({ length: 10 }, () => logIn(owner, OLD)))).toEqual(Array(10).fill(303));
    for (let i = 0; i < 9; i++) expect(await logIn(owner, "wrong-one")).toBe(400);
    for (let i = 0; i < 3; i++) expect(await logIn(owner, OLD)).toBe(303);
    expect(await logIn(owner, "wrong-one")).toBe(400);
    expect(await logIn(owner, OLD)).toBe(429);
    await db().updateTable("rateLimits").set({ resetsAt: sql`now()` }).execute();
    expect(await logIn(owner, OLD)).toBe(303);
  });
});
