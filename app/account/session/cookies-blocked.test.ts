import { afterEach, describe, expect, test, vi } from "vitest";
import { savePassword } from "#app/account/password/store.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import { action as changeCart, loader as openCart } from "#app/routes/cart.tsx";
import { action as logIn, clientAction as logInFromPage, loader as openLogin } from "#app/routes/login.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";

const database = useDatabase();
const db = () => database.db();
const BLOCKED = "Your browser blocks cookies. Allow them for this shop to stay signed in.";
const PASSWORD = "harmony";

afterEach(() => void vi.unstubAllGlobals());

async function customer(): Promise<string> {
  const { id, email } = await makeShopper(db());
  await savePassword(db(), id, await hashPassword(PASSWORD));
  return email;
}

/** A request of a browser without JavaScript; `cookie` holds its only cookies. */
function asked(path: string, fields?: Record<string, string>, cookie?: string, headers = BROWSER): Request {
  const body = fields && new URLSearchParams(fields);
  const all = { ...headers, ...(cookie && { cookie }) };
  return new Request(`http://localhost:3000${path}`, { method: fields ? "POST" : "GET", headers: all, body });
}
const BROWSER: Record<string, string> = { "sec-fetch-mode": "navigate" };

async function gone(work: Promise<unknown>): Promise<{ to: string; cookie: string }> {
  const answer = await work.catch((thrown: unknown) => thrown);
  if (!(answer instanceof Response)) throw new Error("no redirect");
  const cookie = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
  return { to: answer.headers.get("location") ?? "", cookie: cookie.join("; ") };
}

const post = (request: Request) => gone(logIn({ request } as Parameters<typeof logIn>[0]) as Promise<unknown>);
const open = (request: Request) => Promise.resolve(openLogin({ request } as Parameters<typeof openLogin>[0]));

describe("14 a sign-in without script whose cookie does not come back", () => {
  test("14 shows a message; if the cookie comes back, it continues", async () => {
    const fields = { email: await customer(), password: PASSWORD, next: "/account" };
    const { to, cookie } = await post(asked("/login", fields));
    expect(await open(asked(to))).toMatchObject({ blocked: true });
    expect(await gone(open(asked(to, undefined, cookie)))).toMatchObject({ to: "/account" });
  });

  test.each<[string, string | undefined, Record<string, string>]>([
    ["a browser that has brought a cookie", "currency=NGN", BROWSER],
    ["a program without the browsers' headers", undefined, {}],
  ])("14 %s goes where it wanted to at once", async (_, cookie, headers) => {
    const fields = { email: await customer(), password: PASSWORD, next: "/account" };
    expect((await post(asked("/login", fields, cookie, headers))).to).toBe("/account");
  });

  test("14 a login page that was opened directly says nothing of cookies", async () => {
    expect(await open(asked("/login"))).toMatchObject({ blocked: false });
  });
});

describe("14 a sign-in by script", () => {
  const answer = { ok: true, user: { email: "ada@example.com" }, next: "/", merged: { ok: false } };
  const signIn = () => {
    const request = asked("/login", { email: "ada@example.com", password: PASSWORD });
    return logInFromPage({ request, serverAction: async () => answer } as unknown as Parameters<
      typeof logInFromPage
    >[0]);
  };

  test("14 shows no welcome without its cookie", async () => {
    vi.stubGlobal("document", { cookie: "" });
    expect(await signIn()).toMatchObject({ data: { ok: false, errors: { form: BLOCKED } }, init: { status: 400 } });
  });

  test("14 shows a welcome with its cookie", async () => {
    vi.stubGlobal("document", { cookie: "irepo_in=1" });
    expect(await signIn()).toEqual(answer);
  });
});

describe("14 an addition of a guest without script, in a browser that blocks cookies", () => {
  test("14 is reported as lost; if the cookie comes back, the cart opens", async () => {
    const id = await makeProduct(db(), { M: 2 });
    const args = (request: Request) => ({ request, params: {}, context: {} }) as never;
    const { to, cookie } = await gone(changeCart(args(asked("/Cart", { intent: "add", id, size: "M" }))));
    expect(await openCart(args(asked(to)))).toMatchObject({ blocked: true });
    expect((await gone(openCart(args(asked(to, undefined, cookie))) as Promise<unknown>)).to).toBe("/Cart");
    expect(await openCart(args(asked("/Cart")))).toMatchObject({ blocked: false });
  });
});
