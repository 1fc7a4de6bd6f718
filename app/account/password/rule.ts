/** The specification's minimum (docs/decisions/005), and a bound so that nobody makes us hash a novel. */
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 200;
