import { randomBytes } from "node:crypto";
import { secretHash } from "./hash.server.ts";

/** The code of a link that staff send: 128 random bits. Anyone who has it opens the link, so its hash is stored. */
export function newCode(): string {
  return randomBytes(16).toString("base64url");
}

const CODE = /^[\w-]{22}$/;

/** The hash that is stored of a link's code. Undefined for a text that is no such code. */
export function codeHashOf(code: string): Buffer | undefined {
  return CODE.test(code) ? secretHash(code) : undefined;
}
