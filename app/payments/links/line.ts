/** The most letters of what a shopper says to whoever pays. */
export const LINE_MAX = 140;

/** What a shopper says to whoever pays, as one line of plain text. */
export function lineOf(typed: string | undefined): string {
  return (typed ?? "").replaceAll(/\s+/g, " ").trim();
}
