import { describe, expect, test } from "vitest";
import { savePassword } from "#app/account/password/store.server.ts";
import { signIn } from "#app/account/session/sign-in.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import { action as answer, loader as ask } from "#app/routes/google-password.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { makeShopper } from "#tests/support/shop.ts";
import { pause } from "./pause.server.ts";
import { asksPassword } from "./sign-in.server.ts";

const database = useDatabase();
const db = () => database.db();
const PASSWORD = "harmony";

/** A sign-in that waits for the password, and the requests of its browser. */
async function paused() {
  const { id, email } = await makeShopper(db());
  await savePassword(db(), id, await hashPassword(PASSWORD));
  const identity = { subject: `at Google ${id}`, email, name: "Vera Owner" };
  const carried = { next: "/account", from: "login" as const, how: "plain" as const, guestCart: "", mergeId: "" };
  const state = await pause(db(), { identity, carried });
  const request = (fields?: Record<string, string>) =>
    new Request("http://localhost:3000/auth/google/password", {
      method: fields ? "POST" : "GET",
      headers: { cookie: `irepo.google=${state}` },
      body: fields && new URLSearchParams(fields),
    });
  const post = async (fields: Record<string, string>) => {
    const done: unknown = await answer({ request: request(fields) } as Parameters<typeof answer>[0]);
    if (done instanceof Response) return { status: done.status, to: done.headers.get("location") };
    const { data, init } = done as { data: object; init: { status: number } };
    return { status: init.status, ...data };
  };
  const canSignIn = async () => (await signIn(new Request("http://localhost:3000/login"), email, PASSWORD)).ok;
  return { identity, email, post, canSignIn, opened: () => ask({ request: request() } as Parameters<typeof ask>[0]) };
}

describe("9 a first sign-in by Google to an account whose password nobody has proved", () => {
  test("9 asks for it; a wrong one is told, the right one is kept and asked for no more", async () => {
    const { identity, email, post, canSignIn, opened } = await paused();
    expect(await asksPassword(db(), identity)).toBe(true);
    expect(await opened()).toEqual({ email });
    const told = { errors: { password: expect.stringContaining("That’s not this account’s password") } };
    expect(await post({ password: "melodious" })).toMatchObject({ status: 400, ...told });
    expect(await post({ password: PASSWORD })).toEqual({ status: 303, to: "/account" });
    expect([await canSignIn(), await asksPassword(db(), identity)]).toEqual([true, false]);
    expect(await post({ password: PASSWORD })).toMatchObject({ status: 400 });
  });

  test("9 goes on without it, and the password opens nothing any more", async () => {
    const { post, canSignIn } = await paused();
    expect(await post({ intent: "without" })).toEqual({ status: 303, to: "/account" });
    expect(await canSignIn()).toBe(false);
  });
});
