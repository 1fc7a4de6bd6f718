import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "#app/infra/env.server.ts";

/** A signature of the shop's own. `purpose` keeps what is signed for one thing from being used for another. */
export function sign(purpose: string, value: string): string {
  return createHmac("sha256", env.sessionSecret).update(`${purpose}: ${value}`).digest("base64url");
}

export function isSigned(purpose: string, value: string, signature: string): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(sign(purpose, value))];
  return given.length === right.length && timingSafeEqual(given, right);
}
