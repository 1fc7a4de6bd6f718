import { isListOf, isNumber, isObject, isText } from "#app/infra/guards.ts";
import { type Change, isChange } from "../projection.ts";

const KEY = "cartUnsent";
/** In milliseconds: what was changed longer ago may have been changed elsewhere since. */
const KEPT_FOR = 30_000;

type Unsent = { owner: string; at: number; changes: Change[] };
const isUnsent = isObject<Unsent>({ owner: isText, at: isNumber, changes: isListOf(isChange) });

/** Stores what a page sends as it goes away, for the next page of this tab: browsers drop such requests now and then. */
export function storeUnsent(owner: string | null, changes: Change[]): void {
  try {
    if (changes.length === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ owner, at: Date.now(), changes }));
  } catch {} // no room, or refused: then the request alone must do
}

/** The previous page's changes that may not have arrived, given once; sending them twice changes nothing more. */
export function takeUnsent(owner: string | null): Change[] {
  try {
    const unsent: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
    return isUnsent(unsent) && unsent.owner === owner && Date.now() - unsent.at < KEPT_FOR ? unsent.changes : [];
  } catch {
    return []; // a foreign value, or storage is refused
  }
}
