import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { sendSignInLink } from "#app/account/link/sign-in-link.server.ts";
import { savePassword } from "#app/account/password/store.server.ts";
import { currentUser } from "#app/account/session/store.server.ts";
import { changePassword } from "#app/account/settings/change.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { pour } from "#app/infra/http/leaky-bucket.server.ts";
import { awaitTurn } from "#app/infra/http/network-turn.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import { action as login } from "#app/routes/login.tsx";
import { action as register } from "#app/routes/register.tsx";
import { loader as openLink, action as useLink } from "#app/routes/sign-in-link.tsx";
import { action as subscribe } from "#app/routes/subscribe.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { makeShopper } from "#tests/support/shop.ts";

// Thousands of customers of a mobile carrier share one IP address, and one of them guesses passwords.

const database = useDatabase();
const db = () => database.db();
const PASSWORD = "harmony";
const CARRIER = "198.51.100.1";

beforeEach(() => sql`truncate rate_limits`.execute(db()));

let count = 0;
const somebody = () => `somebody-${++count}@example.com`;

async function newOwner() {
  const { id, email } = await makeShopper(db());
  await savePassword(db(), id, await hashPassword(PASSWORD));
  return { id, email };
}

type Action = typeof login | typeof register | typeof subscribe | typeof useLink;

/** Posts a form as a browser without JavaScript. Returns all parts of the response that the sender could compare. */
async function post(action: Action, fields: Record<string, string>, { address = CARRIER, cookie = "" } = {}) {
  const headers = { cookie, "x-irepo-client": address };
  const body = new URLSearchParams(fields);
  const request = new Request("http://localhost:3000/", { method: "POST", headers, body });
  const answer = await Promise.resolve(Reflect.apply(action, undefined, [{ request }])).catch((way: unknown) => way);
  if (answer instanceof Response)
    return { status: answer.status, text: answer.headers.get("location") ?? "", cookies: cookiesIn(answer.headers) };
  const { status = 200, headers: sent } = answer.init ?? {};
  return { status, text: JSON.stringify(answer.data), cookies: cookiesIn(new Headers(sent)) };
}

const cookiesIn = (headers: Headers) => headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
const logIn = (email: string, password = PASSWORD, from = {}) => post(login, { email, password }, from);
const registered = (email: string, from = {}) =>
  post(register, { firstName: "Ada", lastName: "Obi", email, password: PASSWORD }, from);

/** Ten at a time: on a busy machine, opening all connections at once takes longer than the timeout for a connection. */
async function inTens<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (done.length < times) done.push(...(await Promise.all(Array.from({ length: 10 }, work))));
  return done;
}

/** Extends all rate limit counters by a day, so that none drains during the test. */
const standing = () => sql`update rate_limits set resets_at = resets_at + interval '1 day'`.execute(db());

/** Makes so many wrong passwords come from `address` that responses do not tell whether a password is right. */
async function crowd(address = CARRIER): Promise<void> {
  const request = new Request("http://localhost:3000/", { headers: { "x-irepo-client": address } });
  await pour(db(), request, "wrong passwords", 60, 15 * MINUTE);
  await standing();
}

/** Runs the queued jobs. Returns all mails to the address. */
async function mailsTo(email: string) {
  const { rows } = await sql<{ id: string }>`select id from sign_in_links where code_hash is null`.execute(db());
  for (const { id } of rows) await sendSignInLink(db(), id);
  const mails = db().selectFrom("outbox").select(["kind", "data"]).where("recipient", "=", email);
  return mails.orderBy("createdAt").execute();
}

async function codeFor(email: string): Promise<string> {
  const mail = (await mailsTo(email)).at(-1);
  expect(mail?.kind).toBe("sign-in");
  return new URL(String(mail?.data.url)).searchParams.get("oobCode") ?? "";
}

describe("5 a network from which wrong passwords come", () => {
  test("S70 5 after 60 of them, a right password still signs in", async () => {
    const { email } = await newOwner();
    const guesses = await inTens(60, () => logIn(somebody(), "wrong-one"));
    expect(guesses.map(({ status }) => status)).toEqual(Array(60).fill(400));
    expect(await logIn(email)).toMatchObject({ status: 303, text: "/" });
  });

  test("S70 5 while more of them come, the response is the same for a right one, a wrong one and an unknown address", async () => {
    const [right, wrong] = [await newOwner(), await newOwner()];
    await crowd();
    const answers = await Promise.all([
      logIn(right.email),
      logIn(wrong.email, "wrong-one"),
      logIn("nobody@example.com", "wrong-one"),
    ]);
    const seen = [right.email, wrong.email, "nobody@example.com"].map((email, at) => ({
      ...answers[at],
      text: answers[at]?.text.replaceAll(email, "…"),
      cookies: answers[at]?.cookies.map((cookie) => cookie.replace(/=[\w-]{43}$/, "=…")),
    }));
    expect(seen).toEqual(Array(3).fill(seen[0]));
    expect(seen[0]).toMatchObject({ status: 202, cookies: ["irepo.asked=…"] });
    const mails = await Promise.all([right.email, wrong.email, "nobody@example.com"].map(mailsTo));
    expect(mails.map((all) => all.map(({ kind }) => kind))).toEqual([["sign-in"], [], []]);
  });

  test("5 right and wrong ones count alike: after ten tries the account is refused", async () => {
    const { email } = await newOwner();
    await crowd();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await logIn(email, i % 2 ? PASSWORD : "wrong-one")).status);
    expect(statuses).toEqual([...Array(10).fill(202), 429]);
    expect((await mailsTo(email)).length).toBeLessThanOrEqual(3);
  });

  test("5 the link signs in once, only in the browser that requested it", async () => {
    const { email } = await newOwner();
    await crowd();
    const cookie = (await logIn(email)).cookies.join("; ");
    const oobCode = await codeFor(email);
    const opened = (cookie: string) => {
      const request = new Request(`http://localhost:3000/signIn?oobCode=${oobCode}`, { headers: { cookie } });
      return openLink({ request } as Parameters<typeof openLink>[0]).then(({ state }) => state);
    };
    const other = (await logIn(email)).cookies.join("; ");
    expect([await opened(cookie), await opened(other), await opened("")]).toEqual(["live", "elsewhere", "elsewhere"]);
    for (const elsewhere of [other, ""])
      expect(await post(useLink, { oobCode }, { cookie: elsewhere })).toMatchObject({ status: 400, cookies: [] });
    const uses = await Promise.all(Array.from({ length: 5 }, () => post(useLink, { oobCode }, { cookie })));
    const [signed, ...more] = uses.filter(({ status }) => status === 303);
    expect([signed?.text, more]).toEqual(["/", []]);
    expect(await opened(cookie)).toBe("over");
    const inside = new Request("http://localhost:3000/", { headers: { cookie: signed?.cookies.join("; ") ?? "" } });
    expect(await currentUser(inside)).toMatchObject({ email });
    // The device is known after that.
    const device = { cookie: signed?.cookies.find((one) => one.startsWith("irepo.device=")) };
    expect(await logIn(email, PASSWORD, device)).toMatchObject({ status: 303 });
  });

  test("5 a link ends when its password is changed", async () => {
    const { id, email } = await newOwner();
    await crowd();
    const cookie = (await logIn(email)).cookies.join("; ");
    const oobCode = await codeFor(email);
    const user = { id, email, firstName: "", lastName: "", emailVerified: true };
    await changePassword(db(), new Request("http://localhost:3000/"), user, { current: PASSWORD, next: "melodious" });
    expect(await post(useLink, { oobCode }, { cookie })).toMatchObject({ status: 400, cookies: [] });
  });

  test("5 an unverified address gets a verification link instead", async () => {
    const email = somebody();
    await registered(email);
    await crowd();
    await logIn(email);
    expect((await mailsTo(email)).map(({ kind }) => kind)).toEqual(["verify-email", "verify-email"]);
  });

  test("5 the count decreases one by one, and no network delays another", async () => {
    const { email } = await newOwner();
    await crowd("2001:db8:1:200::1");
    expect(await logIn(email, PASSWORD, { address: "2001:db8:1:200::2" })).toMatchObject({ status: 202 });
    await sql`update rate_limits set resets_at = now() + interval '14 minutes'`.execute(db());
    expect(await logIn(email, PASSWORD, { address: "2001:db8:1:200::2" })).toMatchObject({ status: 303 });
    expect(await logIn(email, PASSWORD, { address: "2001:db8:2::1" })).toMatchObject({ status: 303 });
  });

  test("5 a whole /48 is limited like sixteen visitors", async () => {
    let at = 0;
    const address = () => `2001:db8:9:${(at++).toString(16)}00::1`;
    const poured = async () => {
      const request = new Request("http://localhost:3000/", { headers: { "x-irepo-client": address() } });
      return (await pour(db(), request, "door", 2, 1000 * MINUTE)).isFull;
    };
    const full: boolean[] = [];
    for (let i = 0; i < 35; i++) full.push(await poured());
    expect(full.filter((isFull) => !isFull)).toHaveLength(33);
  });
});

describe("5 a network from which many register", () => {
  test("S70 5 after 30 registrations the next one has the same response, which does not reveal a known address", async () => {
    const known = await newOwner();
    const [first] = await inTens(30, () => registered(somebody()));
    const unproved = somebody();
    const [honest, known31] = await Promise.all([registered(unproved), registered(known.email)]);
    for (const answer of [first, honest, known31]) {
      expect(answer).toEqual({
        status: 303,
        text: "/verifyMail",
        cookies: [expect.stringMatching(/^irepo\.registered=/), expect.stringMatching(/^irepo\.mailed=/)],
      });
    }
    expect((await mailsTo(unproved)).map(({ kind }) => kind)).toEqual(["verify-email"]);
    expect((await mailsTo(known.email)).map(({ kind }) => kind)).toEqual(["already-registered"]);
  });
});

describe("5 a turn", () => {
  test("5 comes one after the other; a request whose turn would be too late is told when to retry", async () => {
    const network = { name: "203.0.113.77", visitors: 1 };
    const order: number[] = [];
    const turns = await Promise.all(
      Array.from({ length: 5 }, async (_, at) => {
        const turn = await awaitTurn("door", network, 1000);
        order.push(at);
        return turn;
      }),
    );
    expect(turns).toEqual([...Array(4).fill({ ok: true }), { ok: false, retryAfter: 5 }]);
    expect(order).toEqual([4, 0, 1, 2, 3]);
  });

  test("5 after 30 subscriptions from a network the next one waits for a turn, and is accepted", async () => {
    const subscribed = () => post(subscribe, { firstName: "Ada", email: somebody() });
    await inTens(30, subscribed);
    expect(await subscribed()).toMatchObject({ status: 303, text: "/subscribe?done" });
  });
});
