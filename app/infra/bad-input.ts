/** Unusable input: the message tells why in one line, and nothing was done. */
export class BadInput extends Error {}
