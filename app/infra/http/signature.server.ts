import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "#app/infra/env.server.ts";

/** A signature by the shop's secret. `purpose` keeps a value signed for one purpose from being used for another. */
export function sign(purpose: string, value: string): string {
  return signBy(env.sessionSecret, purpose, value);
}

/** Whether a signature is by the present secret or the fallback. */
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
