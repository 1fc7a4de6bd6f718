import { readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";

const TITLES = "app/ui/archivo-display.woff2";

test("the fonts weigh 45 KB at most, and the one that pages wait for 10", () => {
  const fonts = [...readdirSync("public/fonts").map((name) => `public/fonts/${name}`), TITLES];
  expect(fonts.reduce((sum, font) => sum + statSync(font).size, 0)).toBeLessThanOrEqual(45 * 1024);
  expect(statSync(TITLES).size).toBeLessThanOrEqual(10 * 1024);
});
