import { createHash } from "node:crypto";

/** What is kept of a random secret (a session's token, a link's code, a sign-in's state) in its place: whoever reads the table can use none. */
export function secretHash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
