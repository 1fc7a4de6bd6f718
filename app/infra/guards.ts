/** Checks data from outside (a response, storage) without a library, for code that browsers load. */
export type Guard<T> = (value: unknown) => value is T;

export const isText: Guard<string> = (value) => typeof value === "string";
export const isNumber: Guard<number> = (value) => typeof value === "number";
export const isTrueOrFalse: Guard<boolean> = (value) => typeof value === "boolean";

export function isOrNull<T>(is: Guard<T>): Guard<T | null> {
  return (value): value is T | null => value === null || is(value);
}

export function isOptional<T>(is: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || is(value);
}

export function isListOf<T>(is: Guard<T>): Guard<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(is);
}

/** An object with these fields; others may be there as well. */
export function isObject<T extends object>(fields: { [Name in keyof T]-?: Guard<T[Name]> }): Guard<T> {
  const checks: [string, Guard<unknown>][] = Object.entries(fields);
  return (value): value is T =>
    typeof value === "object" && value !== null && checks.every(([name, is]) => is(Reflect.get(value, name)));
}
