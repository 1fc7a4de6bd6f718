import { createContext, useContext } from "react";
import { type Brand, SHIPPED_BRAND } from "./brand.ts";

/** The owner's words for the shop, set by the root. Undefined if there are none, or if they could not be loaded. */
export const BrandContext = createContext<Brand | undefined>(undefined);

/** The shop's name and the words about it. */
export function useBrand(): Brand {
  return useContext(BrandContext) ?? SHIPPED_BRAND;
}
