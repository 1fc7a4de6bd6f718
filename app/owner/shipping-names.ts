import { KNOWN_STATES, knownState, stateNamed } from "#app/shipping/state-names.ts";

export type ShippingNames = {
  /** Names that match no state of Nigeria. They are offered as they are. */
  unknownStates: string[];
  /**
   * States without a rate, to which delivery is free. Empty if no state has one, because the shop then delivers to
   * none.
   */
  statesWithoutRate: string[];
};

/** Checks the names of delivery rates. */
export function reviewShippingNames(rates: readonly { kind: string; name: string }[]): ShippingNames {
  const states = rates.filter(({ kind }) => kind === "state");
  return {
    unknownStates: states.flatMap(({ name }) => (knownState(name) ? [] : [name])),
    statesWithoutRate: states.length > 0 ? KNOWN_STATES.filter((name) => !stateNamed(states, name)) : [],
  };
}

/** The results as lines of text. */
export function shippingNameLines({ unknownStates, statesWithoutRate }: ShippingNames): string[] {
  return [
    unknownStates.length > 0 &&
      `No state of Nigeria is known under these names, and they are offered as they are: ${unknownStates.join(", ")}`,
    statesWithoutRate.length > 0 &&
      `These states have no rate, and delivery to them costs $0: ${statesWithoutRate.join(", ")}`,
  ].filter((line) => line !== false);
}
