import { hash } from "node:crypto";

const UUID_DIGITS = 32;

/** A UUID made from the content that is sent: the same whenever that content is sent again. */
export function uuidOf(sent: string | Buffer): string {
  return hash("sha256", sent, "hex")
    .slice(0, UUID_DIGITS)
    .replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
