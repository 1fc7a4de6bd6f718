const dateIn = (timeZone: string) => new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone });
const DATE = dateIn("UTC");

/** A date like "21 November 2026", the same on the server and in every browser. */
export function longDate(date: Date, timeZone?: string): string {
  return (timeZone ? dateIn(timeZone) : DATE).format(date);
}
