/** Whether two values are the same as JSON, in any order of their keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** JSON with sorted keys, since the database returns an object's keys in another order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

type Merged<Fields> = { merged: Fields; open: (keyof Fields)[]; taken: (keyof Fields)[] };

/**
 * A three-way merge of two members' changes. A field that only one has changed gets that value. `open` lists fields
 * that both have changed differently: these have the value of `mine` until the member chooses. `taken` lists fields
 * with the other member's value.
 */
export function merge<Fields extends object>(base: Fields, mine: Fields, theirs: Fields): Merged<Fields> {
  const differing = (Object.keys(theirs) as (keyof Fields)[]).filter((name) => !isSame(mine[name], theirs[name]));
  const taken = differing.filter((name) => isSame(mine[name], base[name]));
  const open = differing.filter((name) => !taken.includes(name) && !isSame(theirs[name], base[name]));
  return { merged: { ...mine, ...pick(theirs, taken) }, open, taken };
}

export function pick<Fields extends object>(fields: Fields, names: (keyof Fields)[]): Partial<Fields> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Partial<Fields>;
}
