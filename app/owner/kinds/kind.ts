/** The longest id, which is the part of a kind's address, in characters. */
export const ID_MAX = 60;
export const NAME_MAX = 40;
/** Each has a link above the lists of products, and is counted for it. */
export const MOST_KINDS = 40;
/** No kind has this id: forms have a choice for all products under it. */
export const TAKEN_ID = "all";
