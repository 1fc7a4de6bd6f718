import type { Numbers } from "#app/numbers/numbers.ts";
import { isNigeria } from "./nigeria.ts";

type Days = { from: number; to: number };

/** The business days until an order leaves the shop. */
export const packingDays = ({ packFrom, packTo }: Numbers): Days => ({ from: packFrom, to: packTo });
/** The business days of the standard delivery from then on. */
export const standardDays = (numbers: Numbers): { nigeria: Days; abroad: Days } => ({
  nigeria: { from: numbers.nigeriaFrom, to: numbers.nigeriaTo },
  abroad: { from: numbers.abroadFrom, to: numbers.abroadTo },
});

/** "3-7", as pages show it. */
export function dayRange({ from, to }: Days): string {
  return `${from}-${to}`;
}

/** "3 to 7 business days", as mails show it. */
export function inBusinessDays({ from, to }: Days): string {
  return `${from} to ${to} business days`;
}

/** The business days of delivery to a country, given by its name or code as the form posts it. */
export function deliveryDays(country: string, numbers: Numbers): Days {
  const { nigeria, abroad } = standardDays(numbers);
  return isNigeria(country) ? nigeria : abroad;
}

/** When an order placed now arrives, in words: "27 November to 4 December". `ways`: by the ids of further ways. */
export type ArrivalDates = { nigeria: string; abroad: string; ways?: Record<string, string> };
