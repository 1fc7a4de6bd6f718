import { betterAuth } from "better-auth";
import { db } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { hashPassword, verifyPassword } from "./password.server.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "./password-rule.ts";

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
    advanced: {
      cookiePrefix: "irepo",
      useSecureCookies: env.publicUrl.protocol === "https:",
      disableOriginCheck: true,
    },
    rateLimit: { enabled: false }, // our own, shared by all processes: infra/rate-limit.server.ts
    telemetry: { enabled: false },
    logger: { log: (level, message, ...rest) => log.debug({ level, rest }, `better-auth: ${message}`) },
  });
}
