import { useEffect, useState } from "react";
import { useLocation, useNavigationType } from "react-router";

const NONE: ReadonlyMap<string, number> = new Map();
/** The choice when the list was last shown in this document. */
let last = NONE;

/**
 * The orders that are ticked in the list, also on its other pages: their sums in kobo by number. Going back to the
 * list, for example from a page to print, restores the choice; a link of the menu starts without a choice.
 */
export function useChoice(orders: { number: string; kobo?: number }[]) {
  const { state } = useLocation();
  const isWayBack = useNavigationType() === "POP" || state?.isWayBack === true;
  const [chosen, setChosen] = useState(isWayBack ? last : NONE);
  useEffect(() => {
    last = chosen;
  }, [chosen]);
  const sums = new Map([...chosen, ...orders.map(({ number, kobo = 0 }) => [number, kobo] as const)]);
  const numbers = [...chosen.keys()];
  const choose = (wanted: Iterable<string>) => setChosen(new Map([...wanted].map((one) => [one, sums.get(one) ?? 0])));
  return {
    numbers,
    sumKobo: [...chosen.values()].reduce((all, one) => all + one, 0),
    choosing: { chosen: new Set(numbers), choose },
    onNone: () => setChosen(NONE),
    onAll: () => choose([...numbers, ...orders.map(({ number }) => number)]),
  };
}
