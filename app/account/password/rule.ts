/** The specification's minimum (docs/decisions/005), and a maximum that limits the cost of hashing. */
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 200;
