import { isListOf, isNumber, isObject, isText } from "#app/infra/guards.ts";
import { type Change, isChange } from "../projection.ts";

const KEY = "cartUnsent";
/** In ms. An older change is not repeated, since the cart may have been changed elsewhere since then. */
const KEPT_FOR = 30_000;

type Unsent = { owner: string; at: number; changes: Change[] };
const isUnsent = isObject<Unsent>({ owner: isText, at: isNumber, changes: isListOf(isChange) });

/**
 * Stores the changes that a page sends while it closes, for the next page of this tab: browsers sometimes drop such
 * requests.
 */
export function storeUnsent(owner: string | null, changes: Change[]): void {
  try {
    if (changes.length === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ owner, at: Date.now(), changes }));
  } catch {} // storage is full or refused: only the request itself remains
}

/**
 * The changes of the previous page that may not have arrived. They are returned once; sending a change twice has no
 * further effect.
 */
export function takeUnsent(owner: string | null): Change[] {
  try {
    const unsent: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
    return isUnsent(unsent) && unsent.owner === owner && Date.now() - unsent.at < KEPT_FOR ? unsent.changes : [];
  } catch {
    return []; // a value of another program, or storage is refused
  }
}
