import { describe, expect, test } from "vitest";
import { accountOf } from "#app/account/google/sign-in.server.ts";
import { savePassword } from "#app/account/password/store.server.ts";
import { signIn } from "#app/account/session/sign-in.server.ts";
import { beginSession, currentUser } from "#app/account/session/store.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import { action as register } from "#app/routes/register.tsx";
import { action as follow, loader as open } from "#app/routes/verification.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { makeShopper } from "#tests/support/shop.ts";
import { renderers } from "./emails.tsx";

const database = useDatabase();
const db = () => database.db();
const CHOSEN = "harmony";
const OTHER = "melodious";

/** A request of a browser without JavaScript; `cookie` holds its cookies. */
const asked = (path: string, cookie = "", fields?: Record<string, string>) =>
  new Request(`http://localhost:3000${path}`, {
    method: fields ? "POST" : "GET",
    headers: { cookie },
    body: fields && new URLSearchParams(fields),
  });
const answered = (work: Promise<unknown>) => work.catch((thrown: unknown) => thrown);

let count = 0;
/** Registers an address. Returns the browser's cookie and the code in the mail. */
async function registered(): Promise<{ email: string; cookie: string; code: string }> {
  const email = `stranger-${++count}@example.com`;
  const person = { firstName: "Eve", lastName: "Obi", email, password: CHOSEN };
  const request = asked("/register", "", person);
  const answer = await answered(register({ request } as Parameters<typeof register>[0]));
  const set = answer instanceof Response ? answer.headers.getSetCookie() : [];
  const { data } = await db()
    .selectFrom("outbox")
    .select("data")
    .where("recipient", "=", email)
    .executeTakeFirstOrThrow();
  const code = new URL(String(data.url)).searchParams.get("oobCode") ?? "";
  return { email, cookie: set.map((one) => one.split(";")[0]).join("; "), code };
}

async function followed(code: string, cookie: string, fields: Record<string, string> = {}) {
  const request = asked("/verification", cookie, { oobCode: code, ...fields });
  const answer = await answered(follow({ request } as Parameters<typeof follow>[0]));
  if (answer instanceof Response) return { status: answer.status, to: answer.headers.get("location") };
  const { data, init } = answer as { data: { message: string; asks?: unknown }; init: { status: number } };
  return { status: init.status, ...data };
}

async function opened(code: string, cookie = "") {
  const request = asked(`/verification?oobCode=${code}`, cookie);
  const answer = await open({ request } as Parameters<typeof open>[0]);
  return (answer as { data: { state: string; asks: boolean } }).data;
}

const canSignIn = async (email: string, password: string) => (await signIn(asked("/login"), email, password)).ok;

describe("9 a link that verifies an address", () => {
  test("9 needs no password in the browser that registered, thanks to an HttpOnly cookie", async () => {
    const { email, cookie, code } = await registered();
    expect(cookie).toMatch(/^irepo\.registered=[\w-]{43}; irepo\.mailed=[\w-]+$/);
    expect(await opened(code, cookie)).toMatchObject({ state: "live", asks: false });
    expect(await followed(code, cookie)).toEqual({ status: 303, to: "/verification?done=verified" });
    expect(await canSignIn(email, CHOSEN)).toBe(true);
  });

  test("9 asks for a password in another browser: a mail scanner that runs scripts verifies nothing", async () => {
    const { email, code } = await registered();
    const another = (await registered()).cookie;
    for (const cookie of ["", another, `irepo.registered=${"a".repeat(43)}`]) {
      expect(await opened(code, cookie)).toMatchObject({ state: "live", asks: true });
      expect(await followed(code, cookie)).toMatchObject({ status: 400, asks: true });
    }
    expect(await canSignIn(email, CHOSEN)).toBe(false);
  });

  test("9 accepts the registration's password, and refuses another one", async () => {
    const { email, code } = await registered();
    expect(await followed(code, "", { password: OTHER })).toMatchObject({
      status: 400,
      errors: { password: expect.stringContaining("choose a new one") },
    });
    expect(await followed(code, "", { password: CHOSEN })).toMatchObject({ status: 303 });
    expect(await canSignIn(email, CHOSEN)).toBe(true);
  });

  test("9 accepts a new password, after which whoever registered the address cannot sign in", async () => {
    const { email, code } = await registered();
    expect(await followed(code, "", { newPassword: "short" })).toMatchObject({
      status: 400,
      errors: { newPassword: "Password should be at least 6 characters long" },
    });
    expect(await followed(code, "", { newPassword: OTHER })).toMatchObject({ status: 303 });
    expect([await canSignIn(email, CHOSEN), await canSignIn(email, OTHER)]).toEqual([false, true]);
  });

  test("9 the browser that registered a second address verifies both", async () => {
    const first = await registered();
    const email = "second-in-the-same@example.com";
    const request = asked("/register", first.cookie, { firstName: "A", lastName: "B", email, password: CHOSEN });
    const answer = await answered(register({ request } as Parameters<typeof register>[0]));
    expect(answer instanceof Response && answer.headers.getSetCookie().join()).toContain(first.cookie.split(";")[0]);
    expect(await followed(first.code, first.cookie)).toMatchObject({ status: 303 });
  });
});

describe("9 the first sign-in by Google", () => {
  /** An account that was verified without proof of its password. */
  async function verifiedLongAgo() {
    const user = { ...(await makeShopper(db())), firstName: "Ada", lastName: "Obi" };
    await savePassword(db(), user.id, await hashPassword(CHOSEN));
    const { cookies } = await beginSession(asked("/"), user);
    return { user, cookie: cookies.map((one) => one.split(";")[0]).join("; ") };
  }

  test("9 removes password and sessions of an account that was verified without proof of them, and a mail says so", async () => {
    const { user, cookie } = await verifiedLongAgo();
    await accountOf(db(), { subject: `owner of ${user.id}`, email: user.email, name: "Vera Owner" });
    expect(await canSignIn(user.email, CHOSEN)).toBe(false);
    expect(await currentUser(asked("/", cookie))).toBeNull();
    const { kind, data } = await db()
      .selectFrom("outbox")
      .select(["kind", "data"])
      .where("recipient", "=", user.email)
      .executeTakeFirstOrThrow();
    const { subject, text } = (await renderers[kind]?.(data)) ?? {};
    expect(subject).toBe("Your password was removed");
    expect(text).toContain("/forgotPassword");
  });

  test("9 keeps both if the link was opened with the password or in the registering browser", async () => {
    const { email, code, cookie } = await registered();
    await followed(code, cookie);
    await accountOf(db(), { subject: `owner of ${email}`, email, name: "Vera Owner" });
    expect(await canSignIn(email, CHOSEN)).toBe(true);
  });
});
