import { cleanName } from "#app/infra/person-name.ts";

/** A longer name is refused, or cut where it comes from elsewhere. */
export const NAME_MAX = 100;

/** A display name as first and last name: split at the first space, bounded, and without what a name may not have. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [firstName = "", ...rest] = cleanName(name).trim().split(" ");
  return { firstName: firstName.slice(0, NAME_MAX), lastName: rest.join(" ").trim().slice(0, NAME_MAX) };
}

/** The account's welcome line; Google may know no first name. */
export function greeting(firstName: string): string {
  return firstName ? `Welcome, ${firstName}!` : "Welcome!";
}
