import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the breakpoints are at 640, 768, 1024, 1280 and 1536 px", () => {
  const sheet = readFileSync("app/ui/tokens.css", "utf8");
  const breakpoints = [...sheet.matchAll(/--breakpoint-(\w+): (\w+);/g)].map(([, name, width]) => `${name} ${width}`);
  expect(breakpoints).toEqual(["sm 640px", "md 768px", "lg 1024px", "xl 1280px", "2xl 1536px"]);
});
