/** How long an order's items can be held until it is paid: the form's value, and its words. */
export const HOLDS = {
  hour: "1 hour",
  day: "24 hours",
  "two-days": "2 days",
  "three-days": "3 days",
} as const;
