import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { decode } from "./decoder.server.ts";
import { hasTooManyScans } from "./jpeg-scans.ts";

let progressive: Buffer;
beforeAll(async () => {
  const plain = sharp({ create: { width: 64, height: 48, channels: 3, background: "#a33" } });
  progressive = await plain.jpeg({ progressive: true }).toBuffer();
});

const [MARK, BEGINS_SCAN] = [0xff, 0xda];

/** The same picture with its last scan repeated. Each repetition adds only a few bytes. */
function withScans(jpeg: Buffer, more: number): Buffer {
  const last = jpeg.lastIndexOf(Buffer.from([MARK, BEGINS_SCAN]));
  const scan = jpeg.subarray(last, -2);
  return Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: more }, () => scan), jpeg.subarray(-2)]);
}

test.each([
  ["an ordinary progressive JPEG", () => progressive, false],
  ["one of 32 scans", () => withScans(progressive, 22), false],
  ["one of 33", () => withScans(progressive, 23), true],
  ["one of a thousand", () => withScans(progressive, 990), true],
  ["one with padding before each mark", () => padded(withScans(progressive, 30)), true],
  ["one that ends before them", () => Buffer.concat([progressive, withScans(progressive, 990)]), false],
  ["half of one", () => progressive.subarray(0, 300), false],
  ["nothing but marks", () => Buffer.alloc(100_000, MARK), false],
  ["a PNG", () => Buffer.from("89504e470d0a1a0a", "hex"), false],
  ["nothing", () => Buffer.alloc(0), false],
])("2 %s is refused for its scans before anything is decoded: %#", (_, made, isRefused) => {
  expect(hasTooManyScans(made())).toBe(isRefused);
});

function padded(jpeg: Buffer): Buffer {
  const parts = jpeg.toString("latin1").split("\xff\xda");
  return Buffer.from(parts.join("\xff\xff\xff\xda"), "latin1");
}

test("2 a picture of a thousand scans is refused as too slow", async () => {
  const made = await decode(withScans(progressive, 990), { recipe: "photograph" });
  expect(made).toMatchObject({ fault: "too-slow" });
});

test("2 a picture that exceeds its processor time is stopped, and the next one is made", async () => {
  expect(await decode(progressive, { recipe: "original", budget: { processorMs: 1 } })).toMatchObject({
    fault: "too-slow",
  });
  expect(await decode(progressive, { recipe: "original", budget: { processorMs: 60_000 } })).toHaveProperty("bytes");
});

test("2 a picture whose request was aborted is not made", async () => {
  const leaving = new AbortController();
  const large = await sharp({ create: { width: 2000, height: 2000, channels: 3, background: "#a33" } })
    .png()
    .toBuffer();
  const made = decode(large, { recipe: "original", signal: leaving.signal });
  leaving.abort(new Error("gone"));
  await expect(made).rejects.toThrow("gone");
  await expect(decode(progressive, { recipe: "original", signal: leaving.signal })).rejects.toThrow("gone");
});

test("2 simultaneous pictures are made one after the other, and a file that is none is refused", async () => {
  const all = [...Array.from({ length: 6 }, () => progressive), Buffer.from("no picture")];
  const made = await Promise.all(
    all.map((bytes) => decode(bytes, { recipe: "photograph", budget: { processorMs: 60_000 } })),
  );
  for (const one of made.slice(0, -1)) expect(one).toHaveProperty("bytes");
  expect(made.at(-1)).toMatchObject({ fault: "no-picture" });
});
