import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import { loader } from "./robots.ts";

/**
 * The safe radius of a maskable icon, relative to its width: nothing within this circle is cut off. It is a little
 * larger than the strictest launcher requires.
 */
const SAFE = 0.4;

test("59 robots.txt disallows no page, so that each page's noindex can be read", async () => {
  const closed = [...(await loader().text()).matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path);
  expect(closed).toEqual(["/api/"]);
});

const manifest: unknown = JSON.parse(readFileSync("public/manifest.webmanifest", "utf8"));

test("59 the installable app keeps its id and scope, and has a maskable icon", () => {
  expect(manifest).toMatchObject({ id: "/", scope: "/", start_url: "/" });
  expect(manifest).toHaveProperty("icons", expect.arrayContaining([expect.objectContaining({ purpose: "maskable" })]));
});

test("59 outside of the safe zone the maskable icon has only the background", async () => {
  const { data, info } = await sharp("public/icon-512.png").raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
  const ground = pixel(0, 0).join();
  const lost: number[][] = [];
  for (let y = 0; y < info.height; y++)
    for (let x = 0; x < info.width; x++) {
      const isOutside = Math.hypot(x - info.width / 2, y - info.height / 2) > SAFE * info.width;
      if (isOutside && pixel(x, y).join() !== ground) lost.push([x, y]);
    }
  expect(lost).toEqual([]);
});
