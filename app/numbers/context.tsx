import { createContext, useContext } from "react";
import { type Numbers, SHIPPED_NUMBERS } from "./numbers.ts";

/**
 * The owner's numbers, set by the root. Undefined if they are those that the shop comes with, or if they could not be
 * loaded.
 */
export const NumbersContext = createContext<Numbers | undefined>(undefined);

/** The days and hours that the shop promises. */
export function useNumbers(): Numbers {
  return useContext(NumbersContext) ?? SHIPPED_NUMBERS;
}
