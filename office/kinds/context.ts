import { createContext, useContext } from "react";
import type { Kind } from "#db/types.ts";

/** The kinds of products, in display order. */
export const KindsContext = createContext<Kind[]>([]);

/** The kinds of products, in display order. */
export function useKinds(): Kind[] {
  return useContext(KindsContext);
}

/** The names of the kinds by id, for a choice of one of them. */
export function useKindOptions(): Record<string, string> {
  return Object.fromEntries(useKinds().map(({ id, name }) => [id, name]));
}
