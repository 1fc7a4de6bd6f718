import type { Step } from "./steps.ts";

/** The journeys in Firefox; then those in the other browsers, and the second accessibility engine in Chromium. */
export const browserSteps = (options: readonly string[] = []): Step[] => [
  { name: "Firefox", options, settings: { TEST_GROUP: "firefox", BROWSER: "firefox" } },
  { name: "other browsers", options, settings: { TEST_GROUP: "browsers", BROWSER: "" } },
];
