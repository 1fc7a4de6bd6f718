import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as messages from "#app/messages.ts";
import { loader as comeBack } from "#app/routes/google-callback.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { ADA, useOpenIdProvider } from "#tests/support/open-id-provider.ts";
import { makeShopper } from "#tests/support/shop.ts";
import { type Carried, openIdClient } from "./open-id.server.ts";
import { failureText } from "./outcome.ts";
import * as signIn from "./sign-in.server.ts";

vi.mock("./sign-in.server.ts", { spy: true });

const database = useDatabase();
const db = () => database.db();
const provider = useOpenIdProvider();

const carries: Carried = { next: "/checkout", from: "login", how: "popup", guestCart: "[]", mergeId: "m" };

async function begun() {
  const door = openIdClient(provider.settings());
  const { url, state } = await door.begin(db(), carries);
  return { door, url, state, query: provider.agreed(url) };
}

const nothing = { ok: false, why: "foreign" };

test("S20 a person who agrees at the provider is identified, and the carried state is returned", async () => {
  const { door, url, state, query } = await begun();
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    code_challenge_method: "S256",
    nonce: expect.stringMatching(/^.{43}$/),
    state: expect.stringMatching(/^.{43}$/),
    redirect_uri: "http://localhost:3000/auth/google/callback",
  });
  expect(await door.finish(db(), query, state)).toEqual({
    ok: true,
    identity: { subject: ADA.sub, email: "ada@example.com", name: ADA.name },
    carried: carries,
  });
});

test("S20 a sign-in is finished only once, also by simultaneous calls", async () => {
  const { door, state, query } = await begun();
  const arrivals = await Promise.all(Array.from({ length: 5 }, () => door.finish(db(), query, state)));
  expect(arrivals.filter(({ ok }) => ok)).toHaveLength(1);
  expect(arrivals.filter(({ ok }) => !ok)).toEqual(Array(4).fill(nothing));
});

test("S20 another browser, without the cookie or with its own, finishes nothing", async () => {
  const { door, query } = await begun();
  const other = await begun();
  expect(await door.finish(db(), query, undefined)).toEqual(nothing);
  expect(await door.finish(db(), query, other.state)).toEqual(nothing);
  expect(await door.finish(db(), new URLSearchParams({ code: "x" }), "")).toEqual(nothing);
});

test("S20 the code of one sign-in does not fit into another", async () => {
  const [one, other] = [await begun(), await begun()];
  const mixed = new URLSearchParams({ code: other.query.get("code") ?? "", state: one.state });
  expect(await one.door.finish(db(), mixed, one.state)).toMatchObject({ ok: false, why: "failed" });
});

test("a sign-in that took more than its 10 minutes has ended", async () => {
  const { door, state, query } = await begun();
  await db().updateTable("openIdStates").set({ expiresAt: sql`now() - interval '1 second'` }).execute();
  expect(await door.finish(db(), query, state)).toEqual(nothing);
});

test("the state is not kept in clear", async () => {
  const { state } = await begun();
  const rows = await db().selectFrom("openIdStates").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(state);
});

test("who goes back at the provider has cancelled", async () => {
  const { door, state } = await begun();
  const query = new URLSearchParams({ error: "access_denied", state });
  expect(await door.finish(db(), query, state)).toMatchObject({ ok: false, why: "cancelled" });
});

const minutes = (count: number) => Math.floor(Date.now() / 1000) + count * 60;

test.each([
  ["a wrong nonce", { claims: { nonce: "another" } }],
  ["no nonce", { claims: { nonce: undefined } }],
  ["a wrong audience", { claims: { aud: "another-shop" } }],
  ["a wrong issuer", { claims: { iss: "https://accounts.example" } }],
  ["a time long past", { claims: { iat: minutes(-20), exp: minutes(-10) } }],
  ["another key's signature", { signedBy: "another key" as const }],
  ["no signature", { signedBy: "nobody" as const }],
  ["a signature by the client's secret", { signedBy: "the client's secret" as const }],
  ["an address that is not proved", { claims: { email_verified: false } }],
  ["no word on whether the address is proved", { claims: { email_verified: undefined } }],
  ["no address", { claims: { email: undefined } }],
  ["two addresses", { claims: { email: "a@b.co,c@d.co" } }],
  ["no subject", { claims: { sub: undefined } }],
])("S21 S22 an ID token with %s is refused", async (_, lie) => {
  const { door, state, query } = await begun();
  provider.lies(lie);
  expect(await door.finish(db(), query, state)).toMatchObject({ ok: false, why: "failed", carried: carries });
});

test("a provider that is away is asked again the next time", async () => {
  const settings = provider.settings();
  const door = openIdClient({ ...settings, issuer: "http://127.0.0.1:1" });
  await expect(door.begin(db(), carries)).rejects.toThrow();
  await expect(door.begin(db(), carries)).rejects.toThrow();
});

describe("what a provider says of itself", () => {
  let says: (response: ServerResponse) => unknown;
  const liar = createServer((_, response) => void says(response));
  beforeAll(() => new Promise<void>((resolve) => liar.listen(0, "127.0.0.1", resolve)));
  afterAll(() => {
    liar.closeAllConnections();
    liar.close();
  });
  const issuer = () => `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
  const description = (authorization_endpoint: unknown) => (response: ServerResponse) =>
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ issuer: issuer(), authorization_endpoint, token_endpoint: issuer(), jwks_uri: issuer() }));

  test("is forgotten where nobody can be sent there: it may be right the next time", async () => {
    const door = openIdClient({ ...provider.settings(), issuer: issuer() });
    says = description(42);
    await expect(door.begin(db(), carries)).rejects.toThrow();
    says = description(`${issuer()}/authorize`);
    expect((await door.begin(db(), carries)).url).toMatch("/authorize?");
  });

  test("has an end", async () => {
    const door = openIdClient({ ...provider.settings(), issuer: issuer() });
    let sent = 0;
    says = (response) => {
      response.setHeader("content-type", "application/json");
      const go = () => {
        while (!response.destroyed && response.write(" ".repeat(64 * 1024))) sent += 64 * 1024;
      };
      response.on("drain", go);
      go();
    };
    await expect(door.begin(db(), carries)).rejects.toThrow();
    expect(sent).toBeLessThan(50 * 1024 * 1024);
  });
});

describe("the page that Google sends back to", () => {
  const { google } = signIn;
  if (!google) throw new Error("The demo has a Google client");
  const identity = { subject: "deleted", email: "deleted@example.com", name: "Ada Obi" };
  const request = new Request("http://localhost:3000/auth/google/callback?state=s&code=c");
  const answer = () => comeBack({ request } as Parameters<typeof comeBack>[0]);
  const saying = (why: string, status: number, { from, how }: Pick<Carried, "from" | "how">) => ({
    data: { outcome: { ok: false, why }, from, inPopup: how === "popup" },
    init: { status },
  });

  test.each([
    ["login", "popup", "Failed to sign in with Google"],
    ["register", "page", "Failed to sign in with Google. Please try again."],
  ] as const)("Google failure: a database error is an answer to %s (%s)", async (from, how, text) => {
    const carried = { ...carries, from, how };
    vi.spyOn(google, "finish").mockResolvedValue({ ok: true, identity, carried });
    vi.mocked(signIn.accountOf).mockRejectedValue(new Error("the database is away"));
    expect(await answer()).toMatchObject(saying("failed", 500, carried));
    expect(failureText("failed", from)).toBe(text);
  });

  test("Google failure: so is one before it is known where the sign-in began", async () => {
    vi.spyOn(google, "finish").mockRejectedValue(new Error("the database is away"));
    expect(await answer()).toMatchObject(saying("failed", 500, { from: "login", how: "popup" }));
  });

  test("No user record, 'User data not found': the account is deleted before its session begins", async () => {
    vi.spyOn(google, "finish").mockResolvedValue({ ok: true, identity, carried: carries });
    const { id, email } = await makeShopper(db());
    await db().deleteFrom("users").where("id", "=", id).execute();
    const deleted = { id, email, firstName: "", lastName: "", emailVerified: true };
    vi.mocked(signIn.accountOf).mockResolvedValue(deleted);
    expect(await answer()).toMatchObject(saying("gone", 400, carries));
    expect(failureText("gone", "login")).toBe(messages.login.noUserRecord);
  });
});
