import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { pour } from "#app/infra/http/leaky-bucket.server.ts";
import { softwareAuthenticator } from "#tests/support/authenticator.ts";
import { OWNER } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import {
  OFFICE,
  officeRequest,
  PASSWORD,
  previousCode,
  staffWithPasskey,
  staffWithPassword,
  totpNow,
} from "#tests/support/staff.ts";
import { removeStaff } from "./members.server.ts";
import {
  addPasskey,
  listPasskeys,
  passkeyToMake,
  passkeyToUse,
  removePasskey,
  signInWithPasskey,
} from "./passkeys.server.ts";
import { awaitsCode, checkCode, checkPassword, removePassword, setPassword } from "./password.server.ts";
import { countRecoveryCodes, newRecoveryCodes, signInWithRecoveryCode } from "./recovery.server.ts";
import { REST, refusalText } from "./refusals.ts";
import {
  currentStaff,
  deleteExpiredOfStaff,
  endSessions,
  listAllSessions,
  listSessions,
  signOut,
} from "./sessions.server.ts";
import { newTotpSecret } from "./totp.server.ts";

const database = useDatabase();
const db = () => database.db();

async function optionsToUse() {
  const asked = await passkeyToUse(officeRequest());
  if (!asked.ok) throw new Error(asked.why);
  return asked.options;
}
function cookiesOf<T extends { ok: boolean }>(answer: T): string[] {
  if ("cookies" in answer && Array.isArray(answer.cookies)) return answer.cookies;
  throw new Error(JSON.stringify(answer));
}
const afterwards = () => sql`truncate rate_limits`.execute(db());

describe("by passkey", () => {
  test("a created passkey signs in, in its own session, and its use is shown", async () => {
    const ada = await staffWithPasskey(db());
    const signed = await signInWithPasskey(officeRequest(), ada.authenticator.get(await optionsToUse()));
    expect(await currentStaff(officeRequest(cookiesOf(signed)))).toEqual({
      id: ada.id,
      email: ada.email,
      name: "Ada Obi",
      role: expect.objectContaining({ name: "orders" }),
    });
    expect(await listPasskeys(db(), ada.id)).toMatchObject([{ device: "Chrome on Linux", usedAt: expect.any(String) }]);
    expect(await listSessions(db(), officeRequest(cookiesOf(signed)), ada.id)).toMatchObject([
      { isThis: true },
      { isThis: false },
    ]);
  });

  test("a response is valid once", async () => {
    const { authenticator } = await staffWithPasskey(db());
    const answer = authenticator.get(await optionsToUse());
    const both = await Promise.all([1, 2].map(() => signInWithPasskey(officeRequest(), answer)));
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await signInWithPasskey(officeRequest(), answer)).toEqual({ ok: false, why: "unknown" });
  });

  test.each([
    ["of another origin", { origin: "https://office.evil.example" }],
    ["without a finger, a face or a PIN", { verifies: false }],
    ["of somebody else", { userHandle: Buffer.from(crypto.randomUUID()).toString("base64url") }],
    ["of another kind", { type: "webauthn.create" }],
  ])("a passkey %s is refused", async (_, odd) => {
    const { authenticator } = await staffWithPasskey(db());
    const answer = authenticator.get(await optionsToUse(), odd);
    expect(await signInWithPasskey(officeRequest(), answer)).toEqual({ ok: false, why: "unknown" });
  });

  test("a counter that decreases is refused, since there may be a copy of the passkey", async () => {
    const { authenticator } = await staffWithPasskey(db());
    cookiesOf(await signInWithPasskey(officeRequest(), authenticator.get(await optionsToUse(), { counter: 7 })));
    const copy = authenticator.get(await optionsToUse(), { counter: 7 });
    expect(await signInWithPasskey(officeRequest(), copy)).toMatchObject({ ok: false });
  });

  test("an invented challenge, or an old one, is refused", async () => {
    const { authenticator } = await staffWithPasskey(db());
    const options = await optionsToUse();
    const own = authenticator.get({ ...options, challenge: Buffer.alloc(32).toString("base64url") });
    expect(await signInWithPasskey(officeRequest(), own)).toMatchObject({ ok: false });
    await sql`update staff_challenges set expires_at = now()`.execute(db());
    expect(await signInWithPasskey(officeRequest(), authenticator.get(options))).toMatchObject({ ok: false });
    await deleteExpiredOfStaff(db());
    expect(await db().selectFrom("staffChallenges").selectAll().execute()).toEqual([]);
  });

  test.each(["", "{", "null", "[]", '{"id":"x"}', '{"id":"AA","rawId":"AA","type":"public-key","response":{}}'])(
    "%j is refused, and is no error",
    async (answer) => {
      expect(await signInWithPasskey(officeRequest(), answer)).toEqual({ ok: false, why: "unknown" });
    },
  );

  test("a second one can be added and removed, the last way to sign in cannot", async () => {
    const ada = await staffWithPasskey(db());
    const [first] = await listPasskeys(db(), ada.id);
    const phone = softwareAuthenticator(OFFICE);
    const options = await passkeyToMake(db(), ada, await listPasskeys(db(), ada.id));
    expect(options.excludeCredentials).toMatchObject([{ id: first?.id }]);
    const made = phone.create(options);
    expect(await addPasskey(db(), officeRequest(), ada, made)).toBe(true);
    expect(await addPasskey(db(), officeRequest(), ada, made)).toBe(false);
    expect(await removePasskey(db(), ada, first?.id ?? "")).toBe(true);
    expect(await removePasskey(db(), ada, first?.id ?? "")).toBe(true);
    expect(await removePasskey(db(), ada, (await listPasskeys(db(), ada.id))[0]?.id ?? "")).toBe(false);
    cookiesOf(await signInWithPasskey(officeRequest(), phone.get(await optionsToUse())));
  });

  test("a passkey of one member's challenge is not saved for another member", async () => {
    const [ada, eze] = [await staffWithPasskey(db()), await staffWithPasskey(db())];
    const made = softwareAuthenticator(OFFICE).create(await passkeyToMake(db(), ada));
    expect(await addPasskey(db(), officeRequest(), eze, made)).toBe(false);
  });

  test("5 one network may request 60 times, then each waits for its turn, and the last of many are refused", async () => {
    await afterwards();
    for (let asked = 0; asked < 60; asked++) await optionsToUse();
    const more = await Promise.all(Array.from({ length: 9 }, () => passkeyToUse(officeRequest())));
    expect(more.map((asked) => asked.ok || asked.why)).toEqual([...Array(8).fill(true), "rest"]);
    await afterwards();
  });
});

describe("by password and code", () => {
  const WRONG = "Wrong email or password.";

  test("both together sign in", async () => {
    const ada = await staffWithPassword(db());
    const half = cookiesOf(await checkPassword(officeRequest(), ada.email, PASSWORD));
    expect(await currentStaff(officeRequest(half))).toBeUndefined();
    expect(await awaitsCode(officeRequest(half))).toBe(true);
    const whole = cookiesOf(await checkCode(officeRequest(half), totpNow(ada.secret)));
    expect(await currentStaff(officeRequest(whole))).toMatchObject({ email: ada.email });
    expect(await awaitsCode(officeRequest(half))).toBe(false);
  });

  test("a code is valid once, and no code of an earlier step after it", async () => {
    const ada = await staffWithPassword(db());
    const half = async () => officeRequest(cookiesOf(await checkPassword(officeRequest(), ada.email, PASSWORD)));
    const code = totpNow(ada.secret);
    const requests = [await half(), await half()];
    const both = await Promise.all(requests.map((request) => checkCode(request, code)));
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await checkCode(await half(), totpNow(ada.secret, -30))).toMatchObject({ ok: false, why: "wrong" });
    cookiesOf(await checkCode(await half(), totpNow(ada.secret, 30)));
  });

  test("a code of other than 6 digits, or a wrong one, is refused", async () => {
    const ada = await staffWithPassword(db());
    const half = officeRequest(cookiesOf(await checkPassword(officeRequest(), ada.email, PASSWORD)));
    const said = [];
    for (const code of ["", "000000", "12345", "abcdef", "٣٣٣٣٣٣"]) said.push(await checkCode(half, code));
    expect(said).toEqual([4, 3, 2, 1, 0].map((left) => ({ ok: false, why: "wrong", left })));
  });

  test("without the password no code is checked", async () => {
    const ada = await staffWithPassword(db());
    expect(await checkCode(officeRequest(), totpNow(ada.secret))).toEqual({ ok: false, why: "expired" });
    expect(await checkCode(officeRequest(["irepo.office-code=x"]), totpNow(ada.secret))).toMatchObject({ ok: false });
  });

  test("a password that has been changed meanwhile does not lead to the code", async () => {
    const ada = await staffWithPassword(db());
    const half = cookiesOf(await checkPassword(officeRequest(), ada.email, PASSWORD));
    const secret = newTotpSecret();
    const given = { password: "another harmony", secret, code: await previousCode(secret) };
    expect(await setPassword(db(), officeRequest(ada.cookies), ada, given)).toBe(true);
    expect(await checkCode(officeRequest(half), totpNow(secret))).toEqual({ ok: false, why: "expired" });
  });

  test("5 wrong tries cause a pause, which a right one does not end; responses are the same for an unknown address", async () => {
    await afterwards();
    const { email } = await staffWithPassword(db());
    const { email: passkeyOnly } = await staffWithPasskey(db());
    for (const address of [email, passkeyOnly, "nobody@example.com"]) {
      const said = [];
      for (let tried = 0; tried < 5; tried++) {
        const answer = await checkPassword(officeRequest(), address, "wrong one");
        said.push(answer.ok ? "" : refusalText(answer, WRONG));
      }
      expect(said[0]).toBe(`${WRONG} 4 tries left, then 15 minutes’ rest.`);
      expect(said.slice(3)).toEqual([
        `${WRONG} 1 try left, then 15 minutes’ rest.`,
        `${WRONG} That was the last try: now 15 minutes’ rest.`,
      ]);
      const resting = await checkPassword(officeRequest(), address, PASSWORD);
      expect(resting.ok ? "" : refusalText(resting, WRONG)).toBe("Too many tries. Try again in 15 minutes.");
    }
  });

  test("5 after many wrong ones from a network passwords are refused, and other ways sign in", async () => {
    await afterwards();
    const [ada, eze] = [await staffWithPassword(db()), await staffWithPasskey(db())];
    await pour(db(), officeRequest(), "wrong office tries", 60, REST);
    await sql`update rate_limits set resets_at = resets_at + interval '1 day'`.execute(db());
    const refused = await checkPassword(officeRequest(), ada.email, PASSWORD);
    expect(refused.ok ? "" : refusalText(refused, WRONG)).toBe(
      "Too many wrong tries came from your network. Use a passkey or a recovery code, or try again in a minute.",
    );
    const [code = ""] = eze.recoveryCodes;
    expect(await signInWithRecoveryCode(officeRequest(), eze.email, code)).toMatchObject({ ok: true });
    const byPasskey = await signInWithPasskey(officeRequest(), eze.authenticator.get(await optionsToUse()));
    expect(byPasskey).toMatchObject({ ok: true });
    await afterwards();
    expect(await checkPassword(officeRequest(), ada.email, PASSWORD)).toMatchObject({ ok: true });
  });

  test("wrong codes cause a pause, too", async () => {
    await afterwards();
    const ada = await staffWithPassword(db());
    const half = officeRequest(cookiesOf(await checkPassword(officeRequest(), ada.email, PASSWORD)));
    for (let tried = 0; tried < 5; tried++) expect(await checkCode(half, "000000")).toMatchObject({ why: "wrong" });
    expect(await checkCode(half, totpNow(ada.secret))).toMatchObject({ why: "rest" });
  });

  test("a right password uses up no try", async () => {
    await afterwards();
    const { email } = await staffWithPassword(db());
    for (let tried = 0; tried < 7; tried++) cookiesOf(await checkPassword(officeRequest(), email, PASSWORD));
    expect(await checkPassword(officeRequest(), email, "wrong one")).toMatchObject({ left: 4 });
  });

  test("setting it needs a code of the new secret, and ends the other sessions", async () => {
    const ada = await staffWithPasskey(db());
    const other = cookiesOf(await signInWithPasskey(officeRequest(), ada.authenticator.get(await optionsToUse())));
    const secret = newTotpSecret();
    const given = { password: PASSWORD, secret, code: "000000" };
    expect(await setPassword(db(), officeRequest(ada.cookies), ada, given)).toBe(false);
    expect(await currentStaff(officeRequest(other))).toBeDefined();
    const code = totpNow(secret);
    expect(await setPassword(db(), officeRequest(ada.cookies), ada, { ...given, code })).toBe(true);
    expect(await currentStaff(officeRequest(other))).toBeUndefined();
    expect(await currentStaff(officeRequest(ada.cookies))).toBeDefined();
    const half = officeRequest(cookiesOf(await checkPassword(officeRequest(), ada.email, PASSWORD)));
    expect(await checkCode(half, code)).toMatchObject({ why: "wrong" });
  });

  test("it can be removed only if a passkey is left", async () => {
    expect(await removePassword(db(), await staffWithPassword(db()))).toBe(false);
    const ada = await staffWithPasskey(db());
    const secret = newTotpSecret();
    await setPassword(db(), officeRequest(ada.cookies), ada, { password: PASSWORD, secret, code: totpNow(secret) });
    expect(await removePassword(db(), ada)).toBe(true);
    expect(await checkPassword(officeRequest(), ada.email, PASSWORD)).toMatchObject({ why: "wrong" });
  });
});

describe("by recovery code", () => {
  test("each of ten codes signs in once, however it is typed", async () => {
    await afterwards();
    const ada = await staffWithPasskey(db());
    const [one = "", two = ""] = ada.recoveryCodes;
    expect(new Set(ada.recoveryCodes).size).toBe(10);
    expect(one).toMatch(/^(?:[0-9a-hj-km-np-tv-z]{4}-){6}[0-9a-hj-km-np-tv-z]{4}$/);
    const both = await Promise.all([1, 2].map(() => signInWithRecoveryCode(officeRequest(), ada.email, one)));
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    const typed = two.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l");
    const cookies = cookiesOf(await signInWithRecoveryCode(officeRequest(), ada.email, typed));
    expect(await currentStaff(officeRequest(cookies))).toMatchObject({ id: ada.id });
    expect(await countRecoveryCodes(db(), ada.id)).toBe(8);
  });

  test("new codes replace the earlier ones; another member's is refused; wrong ones cause a pause", async () => {
    await afterwards();
    const [ada, eze] = [await staffWithPasskey(db()), await staffWithPasskey(db())];
    const [old = ""] = ada.recoveryCodes;
    const [fresh = ""] = await newRecoveryCodes(db(), ada);
    const tries = [old, eze.recoveryCodes[0] ?? "", "", "0000-0000-0000-0000", "x"];
    const said = [];
    for (const code of tries) said.push(await signInWithRecoveryCode(officeRequest(), ada.email, code));
    expect(said.map((answer) => !answer.ok && answer.why)).toEqual(Array(5).fill("wrong"));
    expect(await signInWithRecoveryCode(officeRequest(), ada.email, fresh)).toMatchObject({ why: "rest" });
  });
});

describe("a session", () => {
  test.each([
    ["12 hours unused", "used_at = now() - interval '12 hours'"],
    ["14 days old", "created_at = now() - interval '14 days'"],
  ])("that is %s has ended, and is deleted", async (_, change) => {
    const ada = await staffWithPasskey(db());
    expect(await currentStaff(officeRequest(ada.cookies))).toBeDefined();
    await sql`update staff_sessions set ${sql.raw(change)} where staff_id = ${ada.id}`.execute(db());
    expect(await currentStaff(officeRequest(ada.cookies))).toBeUndefined();
    expect(await listSessions(db(), officeRequest(), ada.id)).toEqual([]);
    await deleteExpiredOfStaff(db());
    const left = db().selectFrom("staffSessions").select("id").where("staffId", "=", ada.id);
    expect(await left.execute()).toEqual([]);
  });

  test("that is used stays valid", async () => {
    const ada = await staffWithPasskey(db());
    await sql`update staff_sessions set used_at = now() - interval '11 hours' where staff_id = ${ada.id}`.execute(db());
    await currentStaff(officeRequest(ada.cookies));
    const [session] = await listSessions(db(), officeRequest(), ada.id);
    expect(Date.now() - Date.parse(session?.usedAt ?? "")).toBeLessThan(60_000);
  });

  test("ends with a sign-out, when its member ends it, and when its member is removed", async () => {
    const ada = await staffWithPasskey(db());
    const again = async () =>
      cookiesOf(await signInWithPasskey(officeRequest(), ada.authenticator.get(await optionsToUse())));
    const [one, two, three] = [await again(), await again(), await again()];
    const isIn = async (cookies: string[]) => (await currentStaff(officeRequest(cookies))) !== undefined;
    expect((await signOut(officeRequest(one)))[0]).toMatch(/^irepo\.office=; .*Max-Age=0/);
    const listed = await listSessions(db(), officeRequest(two), ada.id);
    const id = listed.find(({ isThis }) => isThis)?.id ?? "";
    expect(await endSessions(db(), OWNER, ada, { id })).toBe(1);
    expect(await endSessions(db(), OWNER, ada, { id })).toBe(0);
    expect([await isIn(one), await isIn(two), await isIn(three)]).toEqual([false, false, true]);
    await removeStaff(db(), OWNER, ada.email);
    expect(await isIn(three)).toBe(false);
    expect(await signInWithPasskey(officeRequest(), ada.authenticator.get(await optionsToUse()))).toMatchObject({
      ok: false,
    });
  });

  test("is listed under its member, with one query for all members", async () => {
    const [ada, eze] = [await staffWithPasskey(db()), await staffWithPasskey(db())];
    const request = officeRequest(ada.cookies);
    const all = await listAllSessions(db(), request);
    for (const { id } of [ada, eze]) expect(all.get(id)).toEqual(await listSessions(db(), request, id));
    expect([all.get(ada.id)?.[0]?.isThis, all.get(eze.id)?.[0]?.isThis]).toEqual([true, false]);
  });

  test("cannot be ended as another member's", async () => {
    const [ada, eze] = [await staffWithPasskey(db()), await staffWithPasskey(db())];
    const [session] = await listSessions(db(), officeRequest(), ada.id);
    expect(await endSessions(db(), OWNER, eze, { id: session?.id ?? "" })).toBe(0);
  });

  test("has a cookie that is SameSite and HttpOnly", async () => {
    const { cookies } = await staffWithPasskey(db());
    expect(cookies[0]).toMatch(/^irepo\.office=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=1209600$/);
  });
});
