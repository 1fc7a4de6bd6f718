import { createHash } from "node:crypto";

/**
 * The hash that is stored in place of a random secret (a session's token, a link's code, a sign-in's state), so that
 * nobody who reads the table can use the secret.
 */
export function secretHash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
