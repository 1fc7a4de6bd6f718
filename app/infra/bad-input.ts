/** What was given cannot be used; whoever gave it is told why, in a line, and nothing was done. */
export class BadInput extends Error {}
