const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** A date like "21 November 2026", the same on the server and in every browser. */
export function longDate(date: Date): string {
  return DATE.format(date);
}
