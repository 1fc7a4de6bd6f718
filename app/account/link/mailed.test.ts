import { sql } from "kysely";
import { expect, test } from "vitest";
import { db } from "#app/infra/database/db.server.ts";
import { action as checkMail, loader as checkMailLoader } from "#app/routes/check-mail.tsx";
import { action as forgot } from "#app/routes/forgot-password.tsx";
import { action as register } from "#app/routes/register.tsx";
import { action as verifyMail, loader as verifyMailLoader } from "#app/routes/verify-mail.tsx";
import { useDatabase } from "#tests/support/database.ts";

useDatabase();

const NAME = { firstName: "Ada", lastName: "Obi", password: "correct horse battery" };
const PAGES = [
  {
    purpose: "verify",
    asks: register,
    at: "/register",
    fields: NAME,
    path: "/verifyMail",
    page: verifyMail,
    reads: verifyMailLoader,
  },
  {
    purpose: "reset",
    asks: forgot,
    at: "/forgotPassword",
    fields: {},
    path: "/checkMail",
    page: checkMail,
    reads: checkMailLoader,
  },
] as const;

type Args = { request: Request };

function post(path: string, fields: Record<string, string>, cookie: string): Args {
  const headers = { cookie, "x-irepo-client": "203.0.113.7" };
  return {
    request: new Request(`http://localhost:3000${path}`, {
      method: "POST",
      headers,
      body: new URLSearchParams(fields),
    }),
  };
}

/** The answer's redirect and the cookie about the mail, as the browser would send it back. */
async function answered(asking: Promise<unknown>): Promise<{ to: string | null; cookie: string }> {
  const answer = (await asking.catch((thrown: unknown) => thrown)) as Response;
  const [cookie] = answer.headers.getSetCookie().filter((one) => one.includes("irepo.mailed"));
  return { to: answer.headers.get("location"), cookie: cookie?.split(";")[0] ?? "" };
}

test.each(PAGES)("$path says where the mail went, and sends it once more: not twice", async (one) => {
  const { purpose, at, path } = one;
  const [asks, page, reads] = [one.asks, one.page, one.reads] as unknown as ((args: Args) => Promise<unknown>)[];
  const email = `mailed-${purpose}@example.com`;
  const jobs = async () => {
    const { rows } =
      await sql`select from jobs.job where name = 'send-link' and data ->> 'email' = ${email} and data ->> 'purpose' = ${purpose}`.execute(
        db(),
      );
    return rows.length;
  };
  const shown = (cookie: string) =>
    reads?.({ request: new Request(`http://localhost:3000${path}`, { headers: { cookie } }) });

  const first = await answered(
    asks?.(post(at, { ...one.fields, email: ` ${email.toUpperCase()} ` }, "")) as Promise<unknown>,
  );
  expect(first.to).toBe(path);
  expect(await shown(first.cookie)).toEqual({ email, isAgain: false });
  const before = await jobs();
  const again = await answered(page?.(post(path, {}, first.cookie)) as Promise<unknown>);
  expect(again.to).toBe(path);
  expect(await shown(again.cookie)).toEqual({ email, isAgain: true });
  expect(await jobs()).toBe(before + 1);
  await page?.(post(path, {}, again.cookie));
  await page?.(post(path, {}, ""));
  expect(await jobs()).toBe(before + 1);
});

test.each(["", "irepo.mailed=", "irepo.mailed=e30", "irepo.mailed=%%%"])(
  "without a cookie of the shop (%j) the page names no address",
  async (cookie) => {
    const request = new Request("http://localhost:3000/checkMail", { headers: { cookie } });
    expect(await checkMailLoader({ request } as Parameters<typeof checkMailLoader>[0])).toBeUndefined();
  },
);
