import { betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";
import { cookieName } from "#app/infra/cookie.server.ts";
import { db } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { hashPassword, verifyPassword } from "./password.server.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "./password-rule.ts";

export const SESSION_COOKIE = "irepo.session_token";
const DAY = 24 * 60 * 60;

let made: ReturnType<typeof make> | undefined;

/**
 * better-auth keeps sign-in and sessions. None of its own URLs answer: the routes call it. Accounts, link codes and passwords are written by
 * registration.server.ts and password-reset.server.ts, each in one transaction with its mail, which better-auth's own flows do not offer.
 */
export function auth() {
  made ??= make();
  return made;
}

/** Begins a session for a user whom another way than the password has proved (Google). Called by session.server.ts alone; has no URL. */
const provedOtherwise = {
  id: "proved-otherwise",
  endpoints: {
    beginSession: createAuthEndpoint.serverOnly(
      { method: "POST", body: z.object({ userId: z.string() }) },
      async (ctx) => {
        const { internalAdapter } = ctx.context;
        const user = await internalAdapter.findUserById(ctx.body.userId);
        if (!user) throw new Error("There is no such user");
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ user });
      },
    ),
  },
};

function make() {
  return betterAuth({
    baseURL: env.publicUrl.origin,
    secret: env.sessionSecret,
    database: { db: db(), type: "postgres" },
    user: {
      modelName: "users",
      additionalFields: {
        firstName: { type: "string", required: false },
        lastName: { type: "string", required: false },
      },
    },
    session: { modelName: "sessions", expiresIn: 30 * DAY, updateAge: DAY },
    account: { modelName: "accounts" },
    verification: { modelName: "verifications" },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    plugins: [provedOtherwise],
    advanced: {
      cookies: { session_token: { name: cookieName(SESSION_COOKIE) } },
      useSecureCookies: false, // it would add `__Secure-` before the name; `__Host-` is there already
      defaultCookieAttributes: { secure: env.publicUrl.protocol === "https:" },
      disableOriginCheck: true,
    },
    rateLimit: { enabled: false }, // our own, shared by all processes: infra/rate-limit.server.ts
    telemetry: { enabled: false },
    logger: { log: (level, message, ...rest) => log.debug({ level, rest }, `better-auth: ${message}`) },
  });
}
