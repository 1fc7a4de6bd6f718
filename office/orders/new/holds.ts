/** The times for which an unpaid order can hold its items, by the form's value. */
export const HOLDS = {
  hour: "1 hour",
  day: "24 hours",
  "two-days": "2 days",
  "three-days": "3 days",
} as const;
