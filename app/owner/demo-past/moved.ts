/** A time with its zone, as PostgreSQL and JSON write them: 2026-11-29T20:15:00.123456+00:00, or with Z. */
const TIME = /\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)/g;

/** The text with each time in it moved by so many milliseconds, to the same microsecond, in UTC. */
export function movedTimes(text: string, ms: number): string {
  return text.replace(TIME, (_, seconds: string, fraction = "", zone: string) => {
    const moved = new Date(new Date(`${seconds}${fraction.slice(0, 4)}${zone}`).getTime() + ms);
    return `${moved.toISOString().slice(0, -1)}${fraction.slice(4)}${zone === "Z" ? "Z" : "+00:00"}`;
  });
}

/** A row of a backup with all its times moved, also those within JSON. */
export function movedRow(row: Record<string, unknown>, ms: number): Record<string, unknown> {
  return JSON.parse(movedTimes(JSON.stringify(row), ms));
}
