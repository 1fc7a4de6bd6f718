/**
 * The result of a change that was not made, because somebody else has changed the same since the caller saw it. `More`:
 * what the caller needs for the next attempt, such as the current `version`, or `theirs`.
 */
export type Stale<More = unknown> = { ok: false; isStale: true } & More;

export function stale<More extends object>(more: More): Stale<More> {
  return { ok: false, isStale: true, ...more };
}
