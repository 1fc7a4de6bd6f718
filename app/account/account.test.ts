import { argon2, createHash, randomBytes, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { accountOf } from "#app/account/google/sign-in.server.ts";
import { sendLink } from "#app/account/link/request.server.ts";
import { verifyEmail } from "#app/account/link/verify.server.ts";
import commonPasswords from "#app/account/password/common.json" with { type: "json" };
import { resetPassword } from "#app/account/password/reset.server.ts";
import { savePassword } from "#app/account/password/store.server.ts";
import { adviceOn } from "#app/account/password/strength.ts";
import { signIn } from "#app/account/session/sign-in.server.ts";
import { currentUser, listSessions, signOut } from "#app/account/session/store.server.ts";
import { changeName } from "#app/account/settings/change.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { addressOf, networksOf } from "#app/infra/http/network.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import { hashPassword, isOutdated, NO_PASSWORD, verifyPassword } from "#app/infra/secrets/password-hash.server.ts";
import { readSubscription } from "#app/newsletter/newsletter.server.ts";
import { clientAction as logInFromPage } from "#app/routes/login.tsx";
import { action as logOut } from "#app/routes/logout.ts";
import { clientAction as registerFromPage } from "#app/routes/register.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { register } from "./registration.server.ts";

const hashing = vi.hoisted(() => ({ costs: [] as unknown[] }));
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  const argon2: typeof crypto.argon2 = (algorithm, given, done) => {
    const { memory, passes, parallelism } = given;
    hashing.costs.push({ memory, passes, parallelism });
    crypto.argon2(algorithm, given, done);
  };
  return { ...crypto, argon2 };
});

const database = useDatabase();
const db = () => database.db();
const PASSWORD = "harmony";
const BROWSER = randomBytes(32);

let count = 0;
async function newAccount({ verified = false } = {}): Promise<string> {
  const email = `shopper-${++count}@example.com`;
  await register(db(), { firstName: "Ada", lastName: "Obi", email, password: PASSWORD }, BROWSER);
  if (verified) await verifyEmail(db(), await codeFor(email, "verify-email"), { browser: BROWSER });
  return email;
}

/** The code in the link of the newest mail of this kind. */
async function codeFor(email: string, kind: string): Promise<string> {
  const mail = await db()
    .selectFrom("outbox")
    .select("data")
    .where("recipient", "=", email)
    .where("kind", "=", kind)
    .orderBy("createdAt", "desc")
    .executeTakeFirstOrThrow();
  return new URL(String(mail.data.url)).searchParams.get("oobCode") ?? "";
}

/** Runs the job that the forms enqueue. */
const askAgain = (purpose: "verify" | "reset", email: string) => sendLink(db(), { id: randomUUID(), purpose, email });
const requestReset = (email: string) => askAgain("reset", email);

const request = (cookie = "") => new Request("http://localhost:3000/login", { headers: { cookie } });
const cookieOf = (cookies: string[]) => cookies.map((cookie) => cookie.split(";")[0]).join("; ");

async function signedIn(email: string): Promise<string> {
  const signed = await signIn(request(), email, PASSWORD);
  if (!signed.ok) throw new Error(signed.why);
  return cookieOf(signed.cookies);
}

describe("register and verify", () => {
  test("a new account is unverified, its mail is queued with it, and a second one with the address is refused", async () => {
    const email = await newAccount();
    expect(await signIn(request(), email, PASSWORD)).toEqual({ ok: false, why: "unverified" });
    expect(await register(db(), { firstName: "Eve", lastName: "X", email, password: "another" })).toEqual({
      ok: false,
    });
    const { firstName } = await db()
      .selectFrom("users")
      .select("firstName")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    expect(firstName).toBe("Ada");
  });

  test("S12 only the hash of a code is stored", async () => {
    const email = await newAccount();
    const code = await codeFor(email, "verify-email");
    const row = await db()
      .selectFrom("linkCodes")
      .innerJoin("users", "users.id", "linkCodes.userId")
      .select("codeHash")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    expect(row.codeHash.equals(createHash("sha256").update(code).digest())).toBe(true);
  });

  test("S13 of ten simultaneous uses of a code exactly one succeeds, and a later one learns that", async () => {
    const email = await newAccount();
    const code = await codeFor(email, "verify-email");
    const uses = await Promise.all(Array.from({ length: 10 }, () => verifyEmail(db(), code, { browser: BROWSER })));
    expect(uses.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await verifyEmail(db(), code, { browser: BROWSER })).toEqual({ ok: false, why: "used" });
  });

  test("S13 a code for verifying does not reset a password", async () => {
    const email = await newAccount();
    expect(await resetPassword(db(), await codeFor(email, "verify-email"), "new-password")).toEqual({
      ok: false,
      why: "unknown",
    });
  });

  test("S12 a link does not live longer than 3 days", async () => {
    const email = await newAccount();
    await db().updateTable("linkCodes").set({ expiresAt: sql`now() - interval '1 second'` }).execute();
    expect(await verifyEmail(db(), await codeFor(email, "verify-email"), { browser: BROWSER })).toEqual({
      ok: false,
      why: "old",
    });
  });
});

describe("sign-in", () => {
  test("S01 an unknown address, a wrong password, and a wrong password of an unverified account look the same", async () => {
    const verified = await newAccount({ verified: true });
    const unverified = await newAccount();
    const answers = await Promise.all(
      ["nobody@example.com", verified, unverified].map((email) => signIn(request(), email, "wrong-one")),
    );
    expect(answers).toEqual(Array(3).fill({ ok: false, why: "invalid" }));
  });

  test("S27 S28 each sign-in begins its own session, and signing out ends it at once", async () => {
    const email = await newAccount({ verified: true });
    const [here, there] = [await signedIn(email), await signedIn(email)];
    expect(here).not.toBe(there);
    expect(await currentUser(request(here))).toMatchObject({
      email,
      firstName: "Ada",
      lastName: "Obi",
      emailVerified: true,
    });
    await signOut(request(here));
    expect(await currentUser(request(here))).toBeNull();
    expect(await currentUser(request(there))).toMatchObject({ email });
  });

  test("S26 the session cookie is for the server alone; its 256 random bits are kept as a hash", async () => {
    const signed = await signIn(request(), await newAccount({ verified: true }), PASSWORD);
    const cookie = signed.ok ? signed.cookies.find((one) => one.startsWith("irepo.session=")) : "";
    expect(cookie).toMatch(/^irepo\.session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    const token = cookie?.match(/=([\w-]{43})/)?.[1] ?? "";
    const row = await db()
      .selectFrom("sessions")
      .select("userId")
      .where("tokenHash", "=", createHash("sha256").update(token).digest())
      .executeTakeFirst();
    expect(row?.userId).toBe(signed.ok && signed.user.id);
  });

  test("4 an account has 50 sessions at most, and the oldest ends", async () => {
    const email = await newAccount({ verified: true });
    const oldest = await signedIn(email);
    const { id } = await db().selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
    await sql`insert into sessions (token_hash, user_id, device, created_at)
      select sha256(at::text::bytea), ${id}, 'Chrome', now() + at * interval '1 ms' from generate_series(1, 49) at`.execute(
      db(),
    );
    expect(await currentUser(request(oldest))).not.toBeNull();
    const newest = await signedIn(email);
    const lives = await Promise.all([oldest, newest].map(async (one) => (await currentUser(request(one))) !== null));
    expect([...lives, (await listSessions(request(newest), id)).length]).toEqual([false, true, 50]);
    // An account may have more sessions than the limit if it signed in before the limit existed: the page lists only
    // the newest ones, and the next sign-in ends the rest.
    await sql`insert into sessions (token_hash, user_id, device, created_at)
      select sha256(at::text::bytea), ${id}, 'Chrome', now() - interval '1 day' from generate_series(100, 400) at`.execute(
      db(),
    );
    expect(await listSessions(request(newest), id)).toHaveLength(50);
    await signedIn(email);
    expect(await db().selectFrom("sessions").select("id").where("userId", "=", id).execute()).toHaveLength(50);
  });

  test("S27 an invented session token has no user", async () => {
    expect(await currentUser(request("irepo.session=made-up"))).toBeNull();
  });

  test.each([
    ["used 13 days ago, begun 29 days ago", "13 days", "29 days", true],
    ["not used for 14 days", "14 days", "14 days", false],
    ["used just now, but begun 30 days ago", "0", "30 days", false],
  ])("S29 a session %s lives: %4$s", async (_, used, begun, lives) => {
    const session = await signedIn(await newAccount({ verified: true }));
    await db()
      .updateTable("sessions")
      .set({ usedAt: sql`now() - ${used}::interval`, createdAt: sql`now() - ${begun}::interval` })
      .execute();
    expect((await currentUser(request(session))) !== null).toBe(lives);
    // The request has updated the session's `usedAt`, which is written at most once an hour.
    if (lives) {
      const { usedAt } = await db()
        .selectFrom("sessions")
        .select("usedAt")
        .orderBy("usedAt", "desc")
        .executeTakeFirstOrThrow();
      expect(Date.now() - usedAt.getTime()).toBeLessThan(60_000);
    }
  });

  test("S08 a hash with other parameters is replaced at the next sign-in", async () => {
    const email = await newAccount({ verified: true });
    const weak = "$argon2id$v=19$m=8,t=1,p=1$";
    const nonce = Buffer.from("sixteen bytes ok");
    const old = await promisify(argon2)("argon2id", {
      message: PASSWORD,
      nonce,
      tagLength: 32,
      memory: 8,
      passes: 1,
      parallelism: 1,
    });
    const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
    const { id } = await db().selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
    await savePassword(db(), id, `${weak}${base64(nonce)}$${base64(old)}`);
    await signedIn(email);
    const { password } = await db()
      .selectFrom("accounts")
      .select("password")
      .where("userId", "=", id)
      .executeTakeFirstOrThrow();
    expect(isOutdated(password ?? "")).toBe(false);
    await signedIn(email);
  });
});

describe("reset", () => {
  test("S16 sets the password, ends every session, voids open codes and tells the owner", async () => {
    const email = await newAccount({ verified: true });
    const session = await signedIn(email);
    await requestReset(email);
    const code = await codeFor(email, "reset-password");
    expect(await resetPassword(db(), code, "another-one")).toMatchObject({ ok: true });
    expect(await currentUser(request(session))).toBeNull();
    expect(await signIn(request(), email, PASSWORD)).toEqual({ ok: false, why: "invalid" });
    expect(await signIn(request(), email, "another-one")).toMatchObject({ ok: true });
    expect(await codeFor(email, "password-changed")).toBe("");
    expect(await resetPassword(db(), code, "third-one")).toEqual({ ok: false, why: "used" });
  });

  test("S17 also verifies an unverified account, whose verification link becomes void", async () => {
    const email = await newAccount();
    const verification = await codeFor(email, "verify-email");
    await requestReset(email);
    await resetPassword(db(), await codeFor(email, "reset-password"), "another-one");
    expect(await signIn(request(), email, "another-one")).toMatchObject({ ok: true });
    expect(await verifyEmail(db(), verification, { browser: BROWSER })).toEqual({ ok: false, why: "used" });
  });

  test("S17 gives an account with Google alone a password, and Google stays linked", async () => {
    const user = await accountOf(db(), { subject: "g-17", email: "google-only@example.com", name: "Ada Obi" });
    expect(await signIn(request(), user.email, PASSWORD)).toEqual({ ok: false, why: "invalid" });
    await requestReset(user.email);
    expect(await resetPassword(db(), await codeFor(user.email, "reset-password"), PASSWORD)).toMatchObject({
      ok: true,
    });
    expect(await signIn(request(), user.email, PASSWORD)).toMatchObject({ ok: true, user: { id: user.id } });
    expect((await accountOf(db(), { subject: "g-17", email: "new@example.com", name: "Ada Obi" })).id).toBe(user.id);
  });

  test("an unknown address gets no mail", async () => {
    await requestReset("nobody@example.com");
    expect(
      await db().selectFrom("outbox").select("id").where("recipient", "=", "nobody@example.com").execute(),
    ).toEqual([]);
  });
});

describe("Google", () => {
  const ada = { subject: "ada", email: "ada-google@example.com", name: "Ada Ngozi Obi" };

  test("S22 identifies a person by the subject, even if the address changes", async () => {
    const first = await accountOf(db(), ada);
    expect(first).toMatchObject({ email: ada.email, emailVerified: true, firstName: "Ada", lastName: "Ngozi Obi" });
    const later = await accountOf(db(), { ...ada, email: "other@example.com", name: "Ada Eze" });
    expect(later).toMatchObject({ id: first.id, email: ada.email, lastName: "Eze" });
  });

  test("writes first and last name, but not over those that the shopper has changed since", async () => {
    const someone = { subject: "renamed", email: "renamed@example.com", name: "Ada Obi" };
    const { id } = await accountOf(db(), someone);
    await changeName(db(), id, { firstName: "Adaeze", lastName: "Okafor" });
    const later = await accountOf(db(), { ...someone, name: "Ada Eze" });
    expect(later).toMatchObject({ id, firstName: "Adaeze", lastName: "Okafor" });
  });

  test("a verified account of the same address is linked and keeps password and sessions", async () => {
    const email = await newAccount({ verified: true });
    const session = await signedIn(email);
    await accountOf(db(), { subject: "linked", email, name: "Ada Obi" });
    expect(await currentUser(request(session))).toMatchObject({ email });
    expect(await signIn(request(), email, PASSWORD)).toMatchObject({ ok: true });
  });

  test("S23 an unverified account of the same address loses password, names, codes and cart", async () => {
    const email = await newAccount();
    const code = await codeFor(email, "verify-email");
    const { id } = await db().selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
    await db().insertInto("carts").values({ userId: id }).execute();
    expect(await accountOf(db(), { subject: "owner", email, name: "" })).toMatchObject({ id, firstName: "" });
    expect(await signIn(request(), email, PASSWORD)).toEqual({ ok: false, why: "invalid" });
    expect(await verifyEmail(db(), code, { browser: BROWSER })).toEqual({ ok: false, why: "used" });
    expect(await db().selectFrom("carts").selectAll().where("userId", "=", id).execute()).toEqual([]);
  });

  test("ten simultaneous sign-ins of a new person create one account", async () => {
    const arrivals = await Promise.all(
      Array.from({ length: 10 }, () => accountOf(db(), { subject: "ten", email: "ten@example.com", name: "Ten" })),
    );
    expect(new Set(arrivals.map(({ id }) => id)).size).toBe(1);
  });
});

describe("without a response of the server", () => {
  const serverAction = () => Promise.reject(new TypeError("Failed to fetch"));
  const body = new URLSearchParams({ email: "ada@example.com", password: PASSWORD });
  test.each([
    ["other login error", logInFromPage, "Login failed"],
    ["other registration error", registerFromPage, "Registration failed. Please try again."],
  ])("%s", async (_, post, text) => {
    const sent = new Request("http://localhost:3000", { method: "POST", body });
    const answer = await Reflect.apply(post, undefined, [{ request: sent, serverAction }]);
    expect(answer).toMatchObject({ data: { errors: { form: text } } });
    expect(JSON.stringify(answer)).toContain("ada@example.com");
    expect(JSON.stringify(answer)).not.toContain(PASSWORD);
  });
});

test("a logout keeps the currency and the offline pages", async () => {
  const email = await newAccount({ verified: true });
  const answer = await Reflect.apply(logOut, undefined, [{ request: request(await signedIn(email)) }]);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("clear-site-data")).toBeNull();
});

describe("passwords", () => {
  test("S02 an unknown address is checked against a hash of the same cost", async () => {
    const cost = (hash: string) => [hash.slice(0, hash.lastIndexOf("p=1$")), hash.length];
    expect(cost(NO_PASSWORD)).toEqual(cost(await hashPassword(PASSWORD)));
  });

  /** The cost parameters of all passwords that are hashed during `act`. The response time depends on these. */
  async function hashed(act: () => Promise<unknown>): Promise<unknown[]> {
    hashing.costs.length = 0;
    await act();
    return [...hashing.costs];
  }
  const ONE = [{ memory: 19_456, passes: 2, parallelism: 1 }];

  test("S02 an unknown address takes as long as a known one: one password is hashed for either, at the same cost", async () => {
    const [email, unproved] = [await newAccount({ verified: true }), await newAccount()];
    for (const address of ["nobody@example.com", email, unproved])
      expect(await hashed(() => signIn(request(), address, "wrong-one"))).toEqual(ONE);
  });

  test("S04 to register a known address takes as long as a new one: one password is hashed for either, at the same cost", async () => {
    const [email, unproved] = [await newAccount({ verified: true }), await newAccount()];
    for (const address of [`${randomUUID()}@example.com`, email, unproved]) {
      const person = { firstName: "Ada", lastName: "Obi", email: address, password: PASSWORD };
      expect(await hashed(() => register(db(), person))).toEqual(ONE);
    }
  });

  const common = new Set<string>(commonPasswords);
  test.each([
    ["12345", "At least 6 characters"],
    ["password", "One of the most used passwords"],
    ["Liverpool1!", "One of the most used passwords"],
    ["irepo2026", "“irepo” is easy to guess here"],
    ["ngozi-ngozi", "“ngozi” is easy to guess here"],
    ["harmattan", "Fine. A longer one is safer."],
    ["red kites over Kano", "A strong password."],
  ])("S10 the advice on “%s” is: %s", (password, advice) => {
    expect(adviceOn(password, common, ["Ngozi"])).toContain(advice);
  });

  test("S10 the list has the 3,000 most used ones", () => {
    expect(common.size).toBe(3000);
  });

  test.each(["harmony", "ẹ̀kọ́ is 知 🙂 with spaces", "x".repeat(200), `${"a".repeat(72)}b`])(
    "S08 S09 the hash of “%s” matches this password and no other",
    async (password) => {
      const hash = await hashPassword(password);
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(await verifyPassword(hash, password)).toBe(true);
      expect(await verifyPassword(hash, password.slice(0, -1))).toBe(false);
    },
  );

  test("a stored value that is no hash matches no password", async () => {
    expect(await verifyPassword("plain", "plain")).toBe(false);
  });
});

describe("limits", () => {
  test("S07 of 20 simultaneous tries exactly 5 pass, and the next window starts at zero", async () => {
    const tries = await Promise.all(Array.from({ length: 20 }, () => limit(db(), ["door", 5, MINUTE])));
    expect(tries.filter(({ ok }) => ok)).toHaveLength(5);
    expect(await limit(db(), ["door", 5, MINUTE])).toMatchObject({ ok: false, retryAfter: expect.any(Number) });
    await db().updateTable("rateLimits").set({ resetsAt: sql`now()` }).execute();
    expect(await limit(db(), ["door", 5, MINUTE])).toEqual({ ok: true });
  });

  test("a key may have any characters, and a try that cannot be counted fails alone", async () => {
    const odd = ["with \u0000 in it", `${"long ".repeat(2000)}`, "\ud800 half a character"];
    const counted = () => Promise.all(odd.map((key) => limit(db(), [key, 1, MINUTE])));
    expect(await counted()).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    expect((await counted()).map(({ ok }) => ok)).toEqual([false, false, false]);
    const tooLong = 10 ** 20; // more than the database's numbers take
    const [broken, sound] = await Promise.allSettled([
      limit(db(), ["broken", 5, tooLong]),
      limit(db(), ["sound", 5, MINUTE]),
    ]);
    expect([broken?.status, sound]).toEqual(["rejected", { status: "fulfilled", value: { ok: true } }]);
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("S06 the address %s counts as %s", (address, bucket) => {
    const request = new Request("http://localhost/", { headers: { "x-irepo-client": address } });
    expect(networksOf(addressOf(request))[0].name).toBe(bucket);
  });

  test("5 an IPv6 address counts in its /64, as few visitors in its /56, as some more in its /48", () => {
    expect(networksOf("2001:db8:1:2fe:3::4")).toEqual([
      { name: "2001:db8:1:2fe::/64", visitors: 1 },
      { name: "2001:db8:1:200::/56", visitors: 4 },
      { name: "2001:db8:1::/48", visitors: 16 },
    ]);
    expect(networksOf("203.0.113.7")).toEqual([{ name: "203.0.113.7", visitors: 1 }]);
  });
});

describe("addresses", () => {
  test.each([
    [" Ada@Example.COM ", "ada@example.com"],
    ["ada@example.com.", "ada@example.com"],
    ["ａｄａ@example.com", "ada@example.com"],
  ])("S18 “%s” is the mailbox %s", (given, folded) => {
    expect(normalizeEmail(given)).toBe(folded);
  });

  test.each(["ada@exämple.com", "аda@example.com", "ada@example.com\u200b", "ada\u202e@example.com"])(
    "S18 “%s”, with characters beyond ASCII, is no address",
    (text) => {
      expect(isEmail(normalizeEmail(text))).toBe(false);
    },
  );

  test.each([
    "a&b@example.com",
    "a=b@example.com",
    "#ada@example.com",
    "ada!@example.com",
    "ada@example.xn--p1ai",
    "ada@xn--bcher-kva.example",
  ])("17 “%s” is an address", (text) => {
    expect(isEmail(text)).toBe(true);
    expect(readSubscription({ email: text })).toMatchObject({ email: text });
  });

  test.each(["ada", "ada@", "@example.com", "a@b@c.co", "a@b.co,c@d.co", "a@b.co\nBcc: c@d.co", "ada <a@b.co>"])(
    "S50 “%s” is no address",
    (text) => {
      expect(isEmail(text)).toBe(false);
    },
  );
});
