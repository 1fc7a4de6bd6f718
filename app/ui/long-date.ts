const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** "21 November 2026", the same on the server and everywhere. */
export function longDate(date: Date): string {
  return DATE.format(date);
}
