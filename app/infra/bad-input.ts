/** Unusable input: the message tells why in one line, and nothing was done. */
export class BadInput extends Error {
  /** The field of the form that the message stands beside. Undefined: it is about no single one. */
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}
