/** A product's queue, as one shopper sees it. */
export type Stand = {
  title: string;
  opensAt: Date;
  /** The most turns that begin in a minute. */
  pace: number;
  /** How many places have a number and wait. */
  waiting: number;
  isInCart: boolean;
  place: /** The shopper has no place, or is not signed in. */
    | { is: "none"; isOpen: boolean }
    /** The places are drawn at the opening. */
    | { is: "drawn-later" }
    /**
     * `ahead` is 1 for whoever is next; undefined for the moment until the place has its number. `left`: how many of
     * the pieces that are neither reserved nor for somebody's turn there are for this place; "reserved": none of them.
     */
    | { is: "waiting"; ahead?: number; left: "enough" | "few" | "reserved" | "none" }
    | { is: "turn"; endsAt: Date }
    /** The shopper's own order reserves the product. */
    | { is: "held" }
    | { is: "passed" }
    | { is: "bought" };
};
