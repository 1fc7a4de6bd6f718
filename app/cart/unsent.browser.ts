import type { Change } from "./projection.ts";

const KEY = "cartUnsent";
/** In milliseconds: what was tapped longer ago may have been changed elsewhere since. */
const KEPT_FOR = 30_000;

/** Keeps what a page asks for as it goes away, for the next page of this tab: browsers drop such questions now and then. */
export function keepUnsent(owner: string | null, changes: Change[]): void {
  try {
    if (changes.length === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ owner, at: Date.now(), changes }));
  } catch {} // no room, or refused: then the question alone must do
}

/** What the page before may not have got through, once; asked for a second time it changes nothing more. */
export function takeUnsent(owner: string | null): Change[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    sessionStorage.removeItem(KEY);
    const isCurrent = owner !== null && kept.owner === owner && Date.now() - kept.at < KEPT_FOR;
    return isCurrent && Array.isArray(kept.changes) ? kept.changes : [];
  } catch {
    return []; // a foreign value, or storage is refused
  }
}
