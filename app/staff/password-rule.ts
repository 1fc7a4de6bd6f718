/** Together with a code; and a bound so that nobody makes us hash a novel. */
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 200;
