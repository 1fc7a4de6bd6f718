import { data, redirect } from "react-router";
import { z } from "zod";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { isPlainForm } from "#app/infra/http/form-post.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import type { Purpose } from "./code.server.ts";
import { requestLink } from "./request.server.ts";

const COOKIE = "irepo.mailed";
const KEPT = 15 * MINUTE;

const mailed = z.object({ email: z.string(), isAgain: z.boolean() });
/** The address to which this browser asked for a mail. `isAgain`: the mail was requested a second time. */
export type Mailed = z.infer<typeof mailed>;

/** The Set-Cookie value that tells the next page the address, so that no URL contains it. */
export function mailedCookie(email: string, isAgain = false): string {
  const value = JSON.stringify({ email, isAgain } satisfies Mailed);
  return serverCookie(COOKIE, Buffer.from(value).toString("base64url"), KEPT);
}

export function mailedTo(request: Request): Mailed | undefined {
  try {
    return mailed.parse(JSON.parse(Buffer.from(readCookie(request, COOKIE) ?? "", "base64url").toString()));
  } catch {
    return undefined; // no cookie, or one that the shop did not set
  }
}

type Answer = { problem?: string };

/** Requests the mail a second time. For further mails, the shopper uses Login or Forgot password. */
export async function mailAgain(request: Request, purpose: Purpose) {
  const done = (headers?: HeadersInit) =>
    isPlainForm(request)
      ? redirect(new URL(request.url).pathname, { status: 303, headers })
      : data<Answer>({}, { headers });
  const fail = (problem: string, status: number, headers?: HeadersInit) =>
    data<Answer>({ problem }, { status, headers });
  const before = mailedTo(request);
  if (!before || before.isAgain) return done();
  const guarded = await guard(db(), request, purpose === "reset" ? "forgot" : "resend", before.email);
  if (!guarded.ok) return fail(messages.form.tooOften, 429, { "Retry-After": String(guarded.retryAfter) });
  try {
    await requestLink(db(), purpose, before.email);
  } catch (error) {
    log.error({ err: error }, "a mail was not requested again");
    return fail(messages.form.unavailable, 500);
  }
  return done({ "Set-Cookie": mailedCookie(before.email, true) });
}
