import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { StoreAway } from "#app/infra/object-store/bucket.server.ts";
import { openStore } from "#app/infra/object-store/open.server.ts";
import { type FaultProxy, startFaultProxy } from "#tests/chaos/fault-proxy.ts";
import { type S3Server, startS3Server, useS3 } from "#tests/support/s3-server.ts";
import { DamagedPicture, listOriginals, originalOf, storePicture, wholeOriginalOf } from "./originals.server.ts";
import { makeAllPictures } from "./renderings.server.ts";
import { pictureResponse } from "./response.server.ts";
import { pictureStore, pictureStoreWarning } from "./store.server.ts";

let s3: S3Server;
let proxy: FaultProxy;
const bytes = await sharp("db/demo/images/rings-tee-front.jpg").resize(200).jpeg().toBuffer();
const elsewhere = await sharp(bytes).resize(20).jpeg().toBuffer();
const bucket = { bucket: "pictures", prefix: "shop/" };
const ask = async (path: string) => {
  const response = await pictureResponse(new Request(`http://localhost/images/${path}`));
  return response && { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

beforeAll(async () => {
  s3 = await startS3Server();
  proxy = await startFaultProxy(s3.port);
  useS3(proxy.port);
  env.pictures = bucket;
});
afterAll(async () => {
  await proxy.close();
  await s3.stop();
});

test("an original is stored in the bucket under its hash, and read back", async () => {
  const hash = await storePicture(bytes);
  expect(await storePicture(bytes)).toBe(hash);
  expect(await listOriginals()).toEqual([hash]);
  expect((await originalOf(hash))?.equals(bytes)).toBe(true);
});

test("a missing rendering is made when it is requested, and stored in the bucket", async () => {
  const hash = await storePicture(bytes);
  const made = await ask(`${hash}/160.webp`);
  expect(made?.response.headers.get("cache-control")).toContain("immutable");
  expect(await openStore(bucket).read(`${hash}/160.webp`)).toEqual(made?.bytes);
  expect((await ask(`${hash}/160.webp`))?.bytes).toEqual(made?.bytes);
});

test("a rendering that another instance has made is served as it is", async () => {
  const hash = await storePicture(bytes);
  await openStore(bucket).write(`${hash}/320.jpg`, elsewhere);
  expect((await ask(`${hash}/320.jpg`))?.bytes).toEqual(elsewhere);
});

test.each(["<html>", ""])("a stored rendering that is no picture (“%s”) is made again", async (something) => {
  const hash = await storePicture(bytes);
  const place = `${hash}/480.webp`;
  await openStore(bucket).write(place, Buffer.from(something));
  const made = await ask(place);
  expect((await sharp(made?.bytes).metadata()).format).toBe("webp");
  expect(await openStore(bucket).read(place)).toEqual(made?.bytes);
});

test("an original that does not match its hash counts as missing, is not served, and is replaced by adding it again", async () => {
  const hash = await storePicture(bytes);
  await openStore(bucket).write(`${hash}.jpg`, elsewhere);
  await expect(originalOf(hash)).rejects.toThrow(DamagedPicture);
  expect(await wholeOriginalOf(hash)).toBeUndefined();
  expect((await ask(`${hash}/640.avif`))?.response.status).toBe(503);
  await storePicture(bytes);
  expect((await originalOf(hash))?.equals(bytes)).toBe(true);
});

describe("a store with wrong responses", () => {
  async function lying(answer: RequestListener, work: () => Promise<void>): Promise<void> {
    const liar = createServer(answer);
    await new Promise<void>((resolve) => liar.listen(0, "127.0.0.1", resolve));
    proxy.lead((liar.address() as AddressInfo).port);
    proxy.cut(100, Math.random);
    try {
      await work();
    } finally {
      proxy.lead(s3.port);
      proxy.cut(100, Math.random);
      liar.closeAllConnections();
      liar.close();
    }
  }

  test("counts as unavailable if a response is endless, before it fills the memory", () => {
    let sent = 0; // in MB, over all requests
    return lying(
      (_, response) => {
        const go = () => {
          while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024))) sent++;
        };
        response.on("drain", go);
        go();
      },
      async () => {
        await expect(originalOf("0".repeat(20))).rejects.toThrow(StoreAway);
        expect(sent).toBeLessThan(400);
      },
    );
  });
});

test("a picture that is stored nowhere is missing", async () => {
  expect(await ask("00000000000000000000/160.webp")).toBeNull();
});

test("a bucket that is slow is waited for", async () => {
  const hash = await storePicture(bytes);
  proxy.toxics.latency = 700;
  expect((await ask(`${hash}/320.webp`))?.response.status).toBe(200);
  proxy.toxics.latency = 0;
});

test("while the bucket is unavailable a picture's response is 503 with Retry-After, and not cached", async () => {
  const hash = await storePicture(bytes);
  expect(await pictureStoreWarning()).toBeUndefined();
  proxy.toxics.down = true;
  proxy.cut(100, Math.random);
  const away = await ask(`${hash}/160.webp`);
  expect(away?.response.status).toBe(503);
  expect(Object.fromEntries(away?.response.headers ?? [])).toMatchObject({
    "retry-after": expect.stringMatching(/^\d+$/),
    "cache-control": "no-store",
  });
  expect(await pictureStoreWarning()).toMatch(
    /^PICTURES_URL: s3:\/\/pictures\/shop does not answer .*without pictures/,
  );
  proxy.toxics.down = false;
  await expect.poll(async () => (await ask(`${hash}/160.webp`))?.response.status).toBe(200);
});

test("only missing renderings are made, also if other pictures cannot be read", async () => {
  const [hash = ""] = await listOriginals();
  const warn = vi.spyOn(log, "warn");
  const unreadable = "0".repeat(20);
  await openStore(bucket).write(`${unreadable}.jpg`, Buffer.from("no picture"));
  const undecodable = await storePicture(Buffer.from("no picture"));
  await openStore(bucket).write(`${hash}/320.jpg`, elsewhere);
  await makeAllPictures();
  expect((await ask(`${hash}/320.jpg`))?.bytes).toEqual(elsewhere);
  expect((await ask(`${hash}/320.webp`))?.bytes.length).toBeGreaterThan(1000);
  const told = warn.mock.calls.map(([about, words]) => ({ ...(about as object), words }));
  const ofPictures = told.filter((line) => "hash" in line); // that the store of the test before is back may be said now
  expect(ofPictures).toEqual(
    [unreadable, undecodable]
      .sort()
      .map((hash) => ({ err: expect.any(Error), hash, words: "a picture cannot be read" })),
  );
});

test("a rendering that cannot be stored ends the job, which can be retried", async () => {
  const hash = await storePicture(bytes);
  await openStore(bucket).remove(`${hash}/320.webp`);
  vi.spyOn(pictureStore(), "write").mockRejectedValueOnce(new Error("no space left on device"));
  await expect(makeAllPictures()).rejects.toThrow("no space left on device");
  await makeAllPictures();
  expect(await openStore(bucket).read(`${hash}/320.webp`)).toBeDefined();
});

test.each(["unity-home-jersey", "adire-panel-tee", "ankara-jersey"])(
  "59 the detail picture of %s, with fine cloth, is no larger as WebP than as JPEG",
  async (product) => {
    const hash = await storePicture(readFileSync(`db/demo/images/${product}-detail.jpg`));
    const [webp, jpg] = [await ask(`${hash}/640.webp`), await ask(`${hash}/640.jpg`)];
    expect(webp?.bytes.length).toBeLessThan(jpg?.bytes.length ?? 0);
  },
);
