import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import { linkState } from "#app/account/link/code.server.ts";
import { sendLink } from "#app/account/link/request.server.ts";
import { verifyEmail } from "#app/account/link/verify.server.ts";
import { resetPassword } from "#app/account/password/reset.server.ts";
import { signIn } from "#app/account/session/sign-in.server.ts";
import { currentUser } from "#app/account/session/store.server.ts";
import type { Jobs } from "#app/infra/database/queue.server.ts";
import { action as forgot } from "#app/routes/forgot-password.tsx";
import Login, { action as login } from "#app/routes/login.tsx";
import { loader as loadReset, action as reset } from "#app/routes/reset-password.tsx";
import { loader as loadVerification } from "#app/routes/verification.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { renderers } from "./emails.tsx";
import { disownAccount, register } from "./registration.server.ts";
import { changePassword } from "./settings/change.server.ts";

const database = useDatabase();
const db = () => database.db();
const PASSWORD = "harmony";
const BROWSER = randomBytes(32);
const ADVERTISEMENT = { firstName: "Ada", lastName: "wins a prize" };

let count = 0;
async function newAccount({ verified = false } = {}): Promise<string> {
  const email = `owner-${++count}@example.com`;
  await register(db(), { ...ADVERTISEMENT, email, password: PASSWORD }, BROWSER);
  if (verified) await verifyEmail(db(), (await codesFor(email, "verify-email"))[0] ?? "", { browser: BROWSER });
  return email;
}

const mailsTo = (email: string, kind: string) =>
  db()
    .selectFrom("outbox")
    .select("data")
    .where("recipient", "=", email)
    .where("kind", "=", kind)
    .orderBy("createdAt")
    .execute();

async function codesFor(email: string, kind: string): Promise<string[]> {
  const mails = await mailsTo(email, kind);
  return mails.map(({ data }) => new URL(String(data.url)).searchParams.get("oobCode") ?? "");
}

const FORMS = {
  reset: { action: forgot, path: "/forgotPassword", fields: {}, kind: "reset-password" },
  verify: { action: login, path: "/login", fields: { intent: "resend" }, kind: "verify-email" },
} as const;
type Purpose = keyof typeof FORMS;

/** Posts the form that requests a link. Returns all parts of the response that the sender could compare. */
async function ask(purpose: Purpose, email: string, address: string) {
  const { action, path, fields } = FORMS[purpose];
  const request = new Request(`http://localhost:3000${path}`, {
    method: "POST",
    headers: { "x-irepo-client": address },
    body: new URLSearchParams({ ...fields, email }),
  });
  const answer = await action({ request } as Parameters<typeof login>[0] & Parameters<typeof forgot>[0]).catch(
    (thrown: unknown) => thrown,
  );
  if (answer instanceof Response) return { status: answer.status, to: answer.headers.get("location") };
  return { status: (answer as { init: { status: number } }).init.status, to: null };
}

const jobs = async (email: string) => {
  const { rows } = await sql<{ data: Jobs["send-link"] }>`
    select data from jobs.job where name = 'send-link' and data ->> 'email' = ${email} order by created_on`.execute(
    db(),
  );
  return rows.map(({ data }) => data);
};
const carryOut = async (email: string) => {
  for (const job of await jobs(email)) await sendLink(db(), job);
};

describe.each(["reset", "verify"] as const)("asking for a link (%s)", (purpose) => {
  const { kind } = FORMS[purpose];
  const before = purpose === "verify" ? 1 : 0;

  test("S03 has the same response and the same work for every address, since a job does the rest", async () => {
    const emails = [await newAccount({ verified: true }), await newAccount(), `nobody-${purpose}@example.com`];
    const written = () => sql`select (select count(*) from outbox), (select count(*) from link_codes)`.execute(db());
    const { rows: then } = await written();
    const answers = [];
    for (const [at, email] of emails.entries()) answers.push(await ask(purpose, email, `203.0.113.${at}`));
    expect(answers).toEqual(Array(3).fill(answers[0]));
    expect(answers[0]?.status).toBe(303);
    expect((await written()).rows).toEqual(then);
    expect((await Promise.all(emails.map(jobs))).map(({ length }) => length)).toEqual([1, 1, 1]);
    for (const email of emails) await carryOut(email);
    const mails = (await Promise.all(emails.map((email) => mailsTo(email, kind)))).map(({ length }) => length);
    expect(mails).toEqual(purpose === "reset" ? [1, 1, 0] : [1, 2, 0]);
  });

  test("a job that is run twice mails one link", async () => {
    const email = await newAccount();
    await ask(purpose, email, "203.0.113.20");
    await carryOut(email);
    await carryOut(email);
    expect(await mailsTo(email, kind)).toHaveLength(before + 1);
  });

  test("is counted by network (a /64 as one) and address, so strangers use up nothing of the owner's limit", async () => {
    const email = await newAccount();
    for (let i = 1; i <= 5; i++) expect((await ask(purpose, email, `2001:db8:1:2::${i}`)).status).toBe(303);
    expect((await ask(purpose, email, "2001:db8:1:2::6")).status).toBe(429);
    expect((await ask(purpose, await newAccount(), "2001:db8:1:2::6")).status).toBe(303);
    expect((await ask(purpose, email, "2001:db8:1:3::1")).status).toBe(303);
    expect((await ask(purpose, email, "198.51.100.7")).status).toBe(303);
  });

  test("S47 from a hundred strangers fills no mailbox, and the owner still gets a link", async () => {
    const email = await newAccount();
    for (let i = 0; i < 100; i++) expect((await ask(purpose, email, `192.0.2.${i}`)).status).toBe(303);
    const asked = await jobs(email);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.length).toBeLessThanOrEqual(8);
    const { rows } = await sql<{ waits: boolean }>`
      select start_after > now() as waits from jobs.job
      where name = 'send-link' and data ->> 'email' = ${email} order by start_after desc limit 1`.execute(db());
    expect(await ask(purpose, email, "198.51.100.8")).toMatchObject({ status: 303 });
    expect(rows[0]?.waits).toBe(true); // one job serves all requests until it runs
  });

  test("S12 makes the newest two links valid, and using one ends both", async () => {
    const follow = (code: string) =>
      purpose === "reset" ? resetPassword(db(), code, "another-one") : verifyEmail(db(), code, { browser: BROWSER });
    const email = await newAccount();
    for (let i = before; i < 3; i++) await sendLink(db(), { id: randomUUID(), purpose, email });
    const [oldest = "", middle = "", newest = ""] = await codesFor(email, kind);
    const states = () => Promise.all([oldest, middle, newest].map((code) => linkState(db(), code, purpose)));
    expect(await states()).toEqual(["old", "live", "live"]);
    expect((await follow(oldest)).ok).toBe(false);
    const uses = await Promise.all([middle, newest, middle, newest].map(follow));
    expect(uses.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await states()).slice(1)).toEqual(["used", "used"]);
    expect((await Promise.all([middle, newest].map(follow))).map(({ ok }) => ok)).toEqual([false, false]);
  });
});

describe.each(["reset", "verify"] as const)("opening a link (%s)", (purpose) => {
  const path = purpose === "reset" ? "/resetPassword" : "/verification";
  async function open(query: string, cookie = "") {
    const request = new Request(`http://localhost:3000${path}${query}`, { headers: { cookie } });
    const loader = purpose === "reset" ? loadReset : loadVerification;
    const { data, init } = (await loader({ request } as Parameters<typeof loadReset>[0] &
      Parameters<typeof loadVerification>[0])) as {
      data: { code: string; state: string };
      init: { headers: Record<string, string> };
    };
    return { code: data.code, state: data.state, cookie: init.headers["Set-Cookie"]?.split(";")[0] };
  }

  test("shows its state without using it up, and a valid one stays known without its code in the URL", async () => {
    const email = await newAccount();
    for (let i = purpose === "verify" ? 1 : 0; i < 3; i++) await sendLink(db(), { id: randomUUID(), purpose, email });
    const [oldest = "", , newest = ""] = await codesFor(email, FORMS[purpose].kind);
    expect(await open(`?oobCode=${oldest}`)).toEqual({ code: oldest, state: "old", cookie: undefined });
    expect(await open("?oobCode=made-up")).toEqual({ code: "made-up", state: "unknown", cookie: undefined });
    const { state, cookie } = await open(`?oobCode=${newest}`);
    expect(state).toBe("live");
    for (let i = 0; i < 2; i++) expect(await open("", cookie)).toMatchObject({ code: newest, state: "live" });
    await db().updateTable("linkCodes").set({ expiresAt: sql`now()` }).execute();
    expect(await open("", cookie)).toMatchObject({ state: "old" });
  });
});

test("S16 a change of password ends all pending links", async () => {
  const email = await newAccount({ verified: true });
  await sendLink(db(), { id: randomUUID(), purpose: "reset", email });
  const [code = ""] = await codesFor(email, "reset-password");
  const signed = await signIn(new Request("http://localhost:3000/login"), email, PASSWORD);
  if (!signed.ok) throw new Error(signed.why);
  const here = new Request("http://localhost:3000/account", { headers: { cookie: signed.cookies.join("; ") } });
  expect(await currentUser(here)).not.toBeNull();
  expect(await changePassword(db(), here, signed.user, { current: PASSWORD, next: "another-one" })).toBe(true);
  expect(await linkState(db(), code, "reset")).toBe("old");
  expect((await resetPassword(db(), code, "third-one")).ok).toBe(false);
});

test("an account is deleted when the address's owner disowns it by any of its links", async () => {
  const email = await newAccount();
  await sendLink(db(), { id: randomUUID(), purpose: "verify", email });
  const [first = "", second = ""] = await codesFor(email, "verify-email");
  expect(await disownAccount(db(), first)).toEqual({ ok: true });
  expect(await verifyEmail(db(), second, { browser: BROWSER })).toEqual({ ok: false, why: "unknown" });
});

test("a disowned account's address is erased, also from the mails that were sent to it", async () => {
  const email = await newAccount();
  const [code = ""] = await codesFor(email, "verify-email");
  const sent = { state: "sent" as const, data: "{}" };
  await db().updateTable("outbox").set(sent).where("recipient", "=", email).execute();
  expect(await disownAccount(db(), code)).toEqual({ ok: true });
  const { rows } = await sql`select from outbox where to_jsonb(outbox)::text like ${`%${email}%`}`.execute(db());
  expect(rows).toHaveLength(0);
});

describe("the name that a stranger typed for an unverified address", () => {
  const written = async (email: string, kind: string) => {
    const [mail] = await mailsTo(email, kind);
    const { html, text, subject } = (await renderers[kind]?.(mail?.data)) ?? {};
    return [JSON.stringify(mail?.data), subject, html, text].join("\n");
  };

  test("is neither in the verification mail nor in those about the password", async () => {
    const email = await newAccount();
    await sendLink(db(), { id: randomUUID(), purpose: "reset", email });
    const [code = ""] = await codesFor(email, "reset-password");
    await resetPassword(db(), code, "another-one");
    for (const kind of ["verify-email", "reset-password", "password-changed"]) {
      const mail = await written(email, kind);
      expect(mail).toContain("Hello, ");
      expect(mail).not.toMatch(/Ada|wins a prize/);
    }
  });

  test("is in mails once the address is verified", async () => {
    const email = await newAccount({ verified: true });
    await sendLink(db(), { id: randomUUID(), purpose: "reset", email });
    expect(await written(email, "reset-password")).toContain("Hello Ada, ");
  });
});

test("without script 'Password reset successful!' is on the login page that follows", async () => {
  const email = await newAccount({ verified: true });
  await ask("reset", email, "203.0.113.77");
  await carryOut(email);
  const [oobCode = ""] = await codesFor(email, "reset-password");
  const body = new URLSearchParams({ oobCode, password: "another-one" });
  const request = new Request("http://localhost:3000/resetPassword", { method: "POST", body });
  const answer: unknown = await reset({ request } as Parameters<typeof reset>[0]).catch((thrown: unknown) => thrown);
  const to = answer instanceof Response ? new URL(answer.headers.get("location") ?? "", request.url) : undefined;
  expect(to?.pathname).toBe("/login");
  expect(loginPage(to?.search ?? "")).toContain('<p role="status">Password reset successful!</p>');
  expect(loginPage("")).not.toContain("Password reset successful!");
});

test("a new password that is sent again after a lost response is told that it may be set already", async () => {
  const email = await newAccount({ verified: true });
  await sendLink(db(), { id: randomUUID(), purpose: "reset", email });
  const [oobCode = ""] = await codesFor(email, "reset-password");
  await resetPassword(db(), oobCode, "another-one");
  const body = new URLSearchParams({ oobCode, password: "another-one" });
  const request = new Request("http://localhost:3000/resetPassword", { method: "POST", body });
  expect(await reset({ request } as Parameters<typeof reset>[0])).toMatchObject({
    data: {
      ok: false,
      errors: { form: expect.stringContaining("If that was you, you can log in with your new password") },
    },
  });
});

function loginPage(search: string): string {
  const props = { loaderData: { google: false } } as Parameters<typeof Login>[0];
  const Page = () => createElement(Login, props);
  const Stub = createRoutesStub([{ path: "/login", Component: Page }]);
  return renderToStaticMarkup(createElement(Stub, { initialEntries: [`/login${search}`] }));
}
