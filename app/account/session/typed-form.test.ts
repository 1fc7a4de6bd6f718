import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { savePassword } from "#app/account/password/store.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { SCRIPTED_HEADER } from "#app/infra/http/form-post.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import { loader as openCheckout, action as postCheckout } from "#app/routes/checkout.tsx";
import { action as logIn, loader as openLogin } from "#app/routes/login.tsx";
import { action as logOut } from "#app/routes/logout.ts";
import { useDatabase } from "#tests/support/database.ts";
import { lagosForm, makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";

const database = useDatabase();
const db = () => database.db();

const PASSWORD = "harmony";
const COOKIE = "irepo.typed";
const TYPED = { ...lagosForm, address: "8 Marina Street", landmark: "Opposite Ọ̀ṣun’s mosque" };
let hash: string;
let visitors = 0;

beforeAll(async () => {
  hash = await hashPassword(PASSWORD);
});
afterEach(() => void vi.useRealTimers());

type Route = (args: never) => unknown;
type Shown = {
  user?: null;
  typed?: object;
  formMark?: string;
  keepsTyped?: boolean;
  status?: number;
  to?: string | null;
};
type Answered = { data: Shown; init?: ResponseInit | null };

/** A browser without JavaScript that calls the routes' functions directly. Each has its own IP address. */
function newVisitor() {
  const address = `203.0.113.${++visitors}`;
  const cookies = new Map<string, string>();
  let set: string[] = [];
  const keep = (headers: Headers) => {
    set = headers.getSetCookie();
    for (const cookie of set) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  /** The response's data and status, or where it leads to. */
  const ask = async (
    route: Route,
    path: string,
    fields?: Record<string, string>,
    more: HeadersInit = {},
  ): Promise<Shown> => {
    const headers = new Headers(more);
    headers.set("x-irepo-client", address);
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const body = fields && new URLSearchParams(fields);
    const request = new Request(`http://localhost:3000${path}`, { method: fields ? "POST" : "GET", headers, body });
    const answer = await Promise.resolve(route({ request, params: {}, context: {} } as never)).catch(
      (thrown) => thrown,
    );
    if (answer instanceof Response) {
      keep(answer.headers);
      return { status: answer.status, to: answer.headers.get("location") };
    }
    const { data, init } = (Object.hasOwn(Object(answer), "init") ? answer : { data: answer }) as Answered;
    keep(new Headers(init?.headers));
    return data;
  };
  return {
    cookies,
    /** The Set-Cookie values of the last response. */
    set: () => set,
    logIn: ({ email }: Shopper) => ask(logIn, "/login", { email, password: PASSWORD, next: "/checkout" }),
    logOut: () => ask(logOut, "/logout", {}),
    checkout: () => ask(openCheckout, "/checkout"),
    post: (fields: Record<string, string>, headers?: HeadersInit) => ask(postCheckout, "/checkout", fields, headers),
    isToldOfIt: async () => (await ask(openLogin, "/login?next=/checkout")).keepsTyped,
    /** The names of the fields in the cookie. */
    kept: () => {
      const [, , packed = ""] = cookies.get(COOKIE)?.split("~")[0]?.split(".") ?? [];
      return Object.keys(JSON.parse(Buffer.from(packed, "base64url").toString()));
    },
  };
}

/** A shopper with a password and a full cart. */
async function newShopper(): Promise<Shopper> {
  const productId = await makeProduct(db(), { M: 5 });
  const shopper = await makeShopper(db(), { productId, size: "M" });
  await savePassword(db(), shopper.id, hash);
  return shopper;
}

const endSessions = ({ id }: Shopper) => db().deleteFrom("sessions").where("userId", "=", id).execute();

/** A shopper whose session has ended while the checkout was open, and the mark in its form. */
async function loggedOutShopper() {
  const shopper = await newShopper();
  const visitor = newVisitor();
  await visitor.logIn(shopper);
  const { formMark = "" } = await visitor.checkout();
  await endSessions(shopper);
  return { shopper, visitor, formMark };
}

/** A shopper who has posted the checkout after that. */
async function keptForm() {
  const story = await loggedOutShopper();
  await story.visitor.post({ ...TYPED, formMark: story.formMark });
  expect(story.visitor.cookies.has(COOKIE)).toBe(true);
  return story;
}

describe("a checkout form that was posted without script after the session had ended", () => {
  test("comes back after the next login to the account, once", async () => {
    const { shopper, visitor, formMark } = await loggedOutShopper();
    expect(await visitor.isToldOfIt()).toBe(false);
    expect(await visitor.post({ ...TYPED, formMark })).toEqual({ status: 303, to: "/login?next=/checkout" });
    expect(visitor.set()).toEqual([expect.stringMatching(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800$/)]);
    expect(await visitor.isToldOfIt()).toBe(true);
    expect(await visitor.checkout()).toEqual({ user: null });
    expect(await visitor.logIn(shopper)).toEqual({ status: 303, to: "/checkout" });
    expect((await visitor.checkout()).typed).toEqual(TYPED);
    expect(visitor.cookies.has(COOKIE)).toBe(false);
    expect((await visitor.checkout()).typed).toBeUndefined();
    expect(await visitor.isToldOfIt()).toBe(false);
  });

  test("comes back, too, if the session has expired", async () => {
    const { shopper, visitor, formMark } = await loggedOutShopper();
    await visitor.logIn(shopper);
    await db()
      .updateTable("sessions")
      .set({ createdAt: new Date(0) })
      .where("userId", "=", shopper.id)
      .execute();
    expect(await visitor.post({ ...TYPED, formMark })).toMatchObject({ to: "/login?next=/checkout" });
    await visitor.logIn(shopper);
    expect((await visitor.checkout()).typed).toEqual(TYPED);
  });

  test("a field that was emptied is empty, whatever the last order had", async () => {
    const { shopper, visitor, formMark } = await loggedOutShopper();
    await visitor.post({ country: "Nigeria", firstName: "Ada", address: "", formMark });
    await visitor.logIn(shopper);
    expect((await visitor.checkout()).typed).toMatchObject({ firstName: "Ada", lastName: "", address: "" });
  });

  test("is kept without fields that the form does not have", async () => {
    const { visitor, formMark } = await loggedOutShopper();
    const others = { cardNumber: "4084084084084081", code: "HOMERUN", agreedKobo: "8558400", shownCents: "4999" };
    await visitor.post({ ...TYPED, ...others, formMark });
    const filled = Object.entries(TYPED).flatMap(([name, text]) => (text === "" ? [] : [name]));
    expect(visitor.kept().toSorted()).toEqual(filled.toSorted());
  });

  test("is deleted by a login to another account, and no later login brings it back", async () => {
    const { shopper, visitor } = await keptForm();
    const other = await newShopper();
    await visitor.logIn(other);
    expect(visitor.cookies.has(COOKIE)).toBe(false);
    expect((await visitor.checkout()).typed).toBeUndefined();
    await visitor.logIn(shopper);
    expect((await visitor.checkout()).typed).toBeUndefined();
  });

  test("is not shown to another account, even with its cookie", async () => {
    const { visitor } = await keptForm();
    const cookie = visitor.cookies.get(COOKIE) ?? "";
    await visitor.logIn(await newShopper());
    visitor.cookies.set(COOKIE, cookie);
    expect((await visitor.checkout()).typed).toBeUndefined();
  });

  test("is deleted by a logout", async () => {
    const { shopper, visitor } = await keptForm();
    await visitor.logIn(shopper);
    expect(visitor.cookies.has(COOKIE)).toBe(true);
    await visitor.logOut();
    expect(visitor.cookies.has(COOKIE)).toBe(false);
  });

  test.each<[string, (value: string) => string]>([
    ["its fields", (value) => value.replace(/.~/, "A~")],
    ["its time", (value) => value.replace(/^\d/, "9")],
    ["everything", () => "a.b.c~d"],
  ])("is ignored if somebody has changed %s", async (_, changed) => {
    const { shopper, visitor } = await keptForm();
    const whole = visitor.cookies.get(COOKIE) ?? "";
    visitor.cookies.set(COOKIE, changed(whole));
    expect(visitor.cookies.get(COOKIE)).not.toBe(whole);
    expect(await visitor.isToldOfIt()).toBe(false);
    await visitor.logIn(shopper);
    expect(visitor.cookies.has(COOKIE)).toBe(false);
    expect((await visitor.checkout()).typed).toBeUndefined();
  });

  test.each([
    [29, true],
    [31, false],
  ])("after %i minutes is there: %s", async (minutes, isThere) => {
    const { shopper, visitor } = await keptForm();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * MINUTE });
    expect(await visitor.isToldOfIt()).toBe(isThere);
    await visitor.logIn(shopper);
    expect((await visitor.checkout()).typed).toEqual(isThere ? TYPED : undefined);
  });

  test.each<[string, (formMark: string) => Record<string, string>]>([
    ["more text than a cookie holds", (formMark) => ({ ...TYPED, address: "8 Marina Street ".repeat(300), formMark })],
    ["a form without its mark", () => TYPED],
    ["a form with a mark of another shape", () => ({ ...TYPED, formMark: "a.b~c; Path=/" })],
    ["a form in which nothing was typed", (formMark) => ({ formMark })],
  ])("%s is not kept, deletes what was kept before, and leads to the login, too", async (_, form) => {
    const { visitor, formMark } = await keptForm();
    expect(await visitor.post(form(formMark))).toEqual({ status: 303, to: "/login?next=/checkout" });
    expect(visitor.cookies.has(COOKIE)).toBe(false);
  });

  test("is in no cookie if the page's script has posted it, since the tab has a draft", async () => {
    const { visitor, formMark } = await loggedOutShopper();
    await visitor.post({ ...TYPED, formMark }, { [SCRIPTED_HEADER]: "1" });
    expect(visitor.set()).toEqual([]);
  });

  test("stays in its cookie while the checkout has no form to show", async () => {
    const { shopper, visitor } = await keptForm();
    await db().deleteFrom("cartLines").where("userId", "=", shopper.id).execute();
    await visitor.logIn(shopper);
    expect((await visitor.checkout()).typed).toBeUndefined();
    await putInCart(db(), shopper.id, await makeProduct(db(), { M: 5 }), "M");
    expect((await visitor.checkout()).typed).toEqual(TYPED);
  });
});
