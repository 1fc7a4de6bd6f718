import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const FONTS = "public/fonts";

test("the fonts weigh 45 KB at most, and the one that a slow network brings first 10", () => {
  const bytes = Object.fromEntries(readdirSync(FONTS).map((name) => [name, statSync(path.join(FONTS, name)).size]));
  expect(Object.values(bytes).reduce((sum, size) => sum + size)).toBeLessThanOrEqual(45 * 1024);
  expect(bytes["archivo-display.woff2"]).toBeLessThanOrEqual(10 * 1024);
});
