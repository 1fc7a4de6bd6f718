import { MINUTE } from "#app/infra/durations.ts";
import { readCookie, readSignedCookie, serverCookie, signedCookie } from "#app/infra/http/cookie.server.ts";
import { isSigned, sign } from "#app/infra/http/signature.server.ts";

/**
 * The cookie with the fields of a form that was posted without script after its session had ended. The signed cookie
 * holds the form's mark, so that only the account for which the form's page was made gets the fields back.
 */
const COOKIE = "irepo.typed";
const LIVES_FOR = 30 * MINUTE;
const MOST_BYTES = 3500; // browsers keep 4 KB, including the cookie's name and attributes
const PURPOSE = "typed form of";
const MARK = /^[\w-]{43}$/;

type Fields = Record<string, string>;

/**
 * The mark of an account in a hidden field of its forms. It tells the account once the session's row is gone, and
 * contains nothing of it.
 */
export function formMark(userId: string): string {
  return sign(PURPOSE, userId);
}

/**
 * The Set-Cookie value that keeps a form's fields for 30 minutes. If there is nothing to keep, no mark, or more text
 * than fits, it deletes the cookie, so that no older text comes back.
 */
export function typedFormCookie(mark: string | undefined, fields: Fields): string {
  const filled = Object.entries(fields).filter(([, text]) => text !== "");
  if (!mark || !MARK.test(mark) || filled.length === 0) return clearTypedForm();
  const packed = Buffer.from(JSON.stringify(Object.fromEntries(filled))).toString("base64url");
  const cookie = signedCookie(COOKIE, `${Date.now() + LIVES_FOR}.${mark}.${packed}`, LIVES_FOR);
  return cookie.length > MOST_BYTES ? clearTypedForm() : cookie;
}

export function clearTypedForm(): string {
  return serverCookie(COOKIE, "", 0);
}

/** Whether a form's fields are kept in this browser, of whichever account. */
export function hasTypedForm(request: Request): boolean {
  return readTypedForm(request) !== undefined;
}

/** The fields that this account's shopper had typed. Undefined if none are kept, or another account's. */
export function typedFormOf(request: Request, userId: string): Fields | undefined {
  const kept = readTypedForm(request);
  return kept && isSigned(PURPOSE, userId, kept.mark) ? kept.fields : undefined;
}

/** The cookies to set when a session begins: they delete what was typed for another account. */
export function withoutOthersForm(request: Request, userId: string): string[] {
  const isOthers = readCookie(request, COOKIE) !== undefined && !typedFormOf(request, userId);
  return isOthers ? [clearTypedForm()] : [];
}

/** The kept form. Undefined if there is none, its signature is wrong, or its time is over. */
function readTypedForm(request: Request): { mark: string; fields: Fields } | undefined {
  const [until = "", mark = "", packed = ""] = readSignedCookie(request, COOKIE)?.split(".") ?? [];
  if (Number(until) <= Date.now()) return;
  return { mark, fields: JSON.parse(Buffer.from(packed, "base64url").toString()) };
}
