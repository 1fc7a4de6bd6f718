import localGovernments from "./local-governments.json" with { type: "json" };

const GOVERNMENTS: Record<string, string[]> = localGovernments;
/** The 36 states of Nigeria and its capital territory. */
export const KNOWN_STATES = Object.keys(GOVERNMENTS);
const CAPITAL = "Federal Capital Territory";
const BY_KEY = new Map(KNOWN_STATES.map((state) => [keyOf(state), state]));

/**
 * The state's name in `KNOWN_STATES`: "Lagos State" is Lagos, Abuja and FCT are the capital territory. Undefined if it
 * is unknown.
 */
export function knownState(name: string): string | undefined {
  const key = keyOf(name);
  if (key.replace(/\b(federal capital territory|fct|abuja)\b/g, "").trim() === "" && key !== "") return CAPITAL;
  return BY_KEY.get(key);
}

function keyOf(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll(".", "")
    .replace(/[^a-z]+/g, " ")
    .trim();
  return words.replace(/ state$/, "");
}

/** Finds a place by its exact name, otherwise by another name of the same state. */
export function stateNamed<Place extends { name: string }>(places: readonly Place[], name: string): Place | undefined {
  const exact = places.find((place) => place.name === name);
  if (exact) return exact; // the usual case, which needs no lookup
  const known = knownState(name);
  return known === undefined ? undefined : places.find((place) => knownState(place.name) === known);
}

/** The local governments of a state, under any of its names. Empty if the state is unknown. */
export function governmentsOf(state: string): string[] {
  return GOVERNMENTS[knownState(state) ?? ""] ?? [];
}
