import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "#app/infra/env.server.ts";

/** A signature of the shop's own. `purpose` keeps what is signed for one thing from being used for another. */
export function sign(purpose: string, value: string): string {
  return signBy(env.sessionSecret, purpose, value);
}

/** By the present secret or the fallback. */
export function isSigned(purpose: string, value: string, signature: string): boolean {
  const given = Buffer.from(signature);
  return [env.sessionSecret, env.SESSION_FALLBACK_SECRET].some((secret) => {
    const right = secret && Buffer.from(signBy(secret, purpose, value));
    return right && given.length === right.length && timingSafeEqual(given, right);
  });
}

function signBy(secret: string, purpose: string, value: string): string {
  return createHmac("sha256", secret).update(`${purpose}: ${value}`).digest("base64url");
}
