import { cleanName } from "#app/infra/text/person-name.ts";

/**
 * The longest first or last name, in characters. A longer one is refused in a form, and cut if it comes from elsewhere.
 */
export const NAME_MAX = 100;

/**
 * Splits a display name at the first space into first and last name. Characters that a name may not contain are
 * removed.
 */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [firstName = "", ...rest] = cleanName(name).trim().split(" ");
  return { firstName: firstName.slice(0, NAME_MAX), lastName: rest.join(" ").trim().slice(0, NAME_MAX) };
}

/** The welcome line of the account page. The first name may be empty, for example after a sign-in with Google. */
export function greeting(firstName: string): string {
  return firstName ? `Welcome, ${firstName}!` : "Welcome!";
}
