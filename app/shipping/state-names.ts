import localGovernments from "./local-governments.json" with { type: "json" };

const GOVERNMENTS: Record<string, string[]> = localGovernments;
/** The 36 states of Nigeria and its capital territory. */
export const KNOWN_STATES = Object.keys(GOVERNMENTS);
const CAPITAL = "Federal Capital Territory";

/** The state that a name means, as `KNOWN_STATES` has it: "Lagos State" is Lagos, Abuja and FCT are the capital territory; undefined for another name. */
export function knownState(name: string): string | undefined {
  const key = keyOf(name);
  if (key.replace(/\b(federal capital territory|fct|abuja)\b/g, "").trim() === "" && key !== "") return CAPITAL;
  return KNOWN_STATES.find((state) => keyOf(state) === key);
}

function keyOf(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll(".", "")
    .replace(/[^a-z]+/g, " ")
    .trim();
  return words.replace(/ state$/, "");
}

/** The one of these places that a name means: by this very name, else by another name of the same state. */
export function stateNamed<Place extends { name: string }>(places: readonly Place[], name: string): Place | undefined {
  const known = knownState(name);
  const exact = places.find((place) => place.name === name);
  return exact ?? (known === undefined ? undefined : places.find((place) => knownState(place.name) === known));
}

/** The local governments of a state, under any of its names; none where it is unknown. */
export function governmentsOf(state: string): string[] {
  return GOVERNMENTS[knownState(state) ?? ""] ?? [];
}
