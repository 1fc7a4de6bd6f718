import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import { type FaultProxy, startFaultProxy } from "#tests/chaos/fault-proxy.ts";
import { type S3Server, startS3Server, useS3 } from "#tests/support/s3-server.ts";
import { StoreAway } from "./bucket.server.ts";
import { locationText, readLocation } from "./location.ts";
import type { ObjectStore } from "./object-store.ts";
import { openStore } from "./open.server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "irepo-store-"));
let s3: S3Server;
let proxy: FaultProxy;

beforeAll(async () => {
  s3 = await startS3Server();
  proxy = await startFaultProxy(s3.port);
  // The library must not use this machine's own settings and role.
  process.env.AWS_CONFIG_FILE = process.env.AWS_SHARED_CREDENTIALS_FILE = path.join(folder, "none");
  process.env.AWS_EC2_METADATA_DISABLED = "true";
});
beforeEach(() => useS3(proxy.port));
afterAll(async () => {
  await proxy.close();
  await s3.stop();
  rmSync(folder, { recursive: true });
});

async function namesOf(store: ObjectStore, which: "top" | "all"): Promise<string[]> {
  const names: string[] = [];
  for await (const name of store.list(which)) names.push(name);
  return names;
}

describe.each([
  ["a folder", () => path.join(folder, "of", "its", "own")],
  ["a bucket", () => "s3://pictures"],
  ["a part of a bucket", () => "s3://pictures/of/its/own"],
])("%s", (_, placeOf) => {
  let store: ObjectStore;
  beforeAll(() => {
    store = open(placeOf());
  });

  test("is empty at first", async () => {
    expect(await store.read("a.jpg")).toBeUndefined();
    expect(await namesOf(store, "all")).toEqual([]);
  });

  test("stores bytes unchanged, also when they are written again", async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    await store.write("b/1.webp", bytes);
    await store.write("b/1.webp", bytes);
    expect((await store.read("b/1.webp"))?.equals(bytes)).toBe(true);
  });

  test("lists the names, all of them or those at the top", async () => {
    for (const name of ["c.jpg", "c/2.avif"]) await store.write(name, Buffer.from(name));
    expect(await namesOf(store, "all")).toEqual(expect.arrayContaining(["c.jpg", "c/2.avif"]));
    expect(await namesOf(store, "top")).toEqual(["c.jpg"]);
  });

  test("removes a file, and does nothing without one", async () => {
    await store.write("d/1.jpg", Buffer.from("d"));
    for (let i = 0; i < 2; i++) await store.remove("d/1.jpg");
    expect(await store.read("d/1.jpg")).toBeUndefined();
  });
});

test("a bucket's names are listed, also if they take several responses", async () => {
  const names = Array.from({ length: 1_003 }, (_, index) => `${index}`.padStart(4, "0"));
  const put = (name: string) =>
    fetch(`http://127.0.0.1:${s3.port}/pictures/many/${name}`, { method: "PUT", body: "x" });
  for (let at = 0; at < names.length; at += 50) await Promise.all(names.slice(at, at + 50).map(put));
  expect(await namesOf(open("s3://pictures/many"), "all")).toEqual(names);
});

describe("a bucket that cannot be used is reported with a remedy:", () => {
  const failureOf = (place: string) =>
    open(place)
      .read("a.jpg")
      .catch((error: unknown) => error);

  const setting = (name: string, value: string) => () => {
    process.env[name] = value;
  };
  test.each([
    ["it does not exist", "s3://nowhere", () => undefined, /PICTURES_URL: s3:\/\/nowhere: there is no such bucket/],
    [
      "its key is wrong",
      "s3://pictures",
      setting("AWS_ACCESS_KEY_ID", "wrong"),
      /store refuses .*AWS_SECRET_ACCESS_KEY/,
    ],
    ["there is no key", "s3://pictures", setting("AWS_ACCESS_KEY_ID", ""), /AWS_SECRET_ACCESS_KEY are missing/],
    ["there is no region", "s3://pictures", () => delete env.AWS_ENDPOINT_URL_S3, /AWS_REGION is missing/],
  ])("%s", async (_, place, change, says) => {
    change();
    const error = await failureOf(place);
    expect(error).toBeInstanceOf(Problem);
    expect(error).not.toBeInstanceOf(StoreAway);
    expect(String(error)).toMatch(says);
  });
});

describe("a bucket that is", () => {
  const away = async (store: ObjectStore, name: string) => {
    const begun = performance.now();
    await expect(store.read(name)).rejects.toThrow(StoreAway);
    return performance.now() - begun;
  };

  test("down is unavailable at once, and available again as soon as it is up", async () => {
    const store = open("s3://pictures");
    await store.write("d.jpg", Buffer.from("d"));
    proxy.toxics.down = true;
    proxy.cut(100, Math.random);
    for (let i = 0; i < 6; i++) expect(await away(store, "d.jpg")).toBeLessThan(3000);
    proxy.toxics.down = false;
    await expect.poll(() => store.read("d.jpg").catch(() => undefined)).toEqual(Buffer.from("d"));
  });

  test("frozen is unavailable after a timeout; the next request does not wait", async () => {
    const store = open("s3://pictures");
    await store.write("e.jpg", Buffer.alloc(3_000_000, "e"));
    proxy.freeze();
    const waits = await Promise.all(["e.jpg", "f.jpg", "g.jpg", "h.jpg"].map((name) => away(store, name)));
    expect(Math.max(...waits)).toBeLessThan(10_000);
    expect(await away(store, "e.jpg")).toBeLessThan(1500); // a call that waits takes 2 s
    proxy.thaw();
    await expect.poll(async () => (await store.read("e.jpg").catch(() => undefined))?.length).toBe(3_000_000);
  });
});

test.each([
  ["./data/pictures", { folder: "./data/pictures" }],
  ["/srv/pictures", { folder: "/srv/pictures" }],
  ["s3://irepo-pictures", { bucket: "irepo-pictures", prefix: "" }],
  ["s3://irepo/shop/pictures/", { bucket: "irepo", prefix: "shop/pictures/" }],
  ["s3://", undefined],
  ["s3:irepo", undefined],
  ["s3://Irepo", undefined],
  ["https://irepo.s3.example", undefined],
])("%s is a valid location: %j", (text, place) => {
  expect(readLocation(text)).toEqual(place);
  if (place) expect(readLocation(locationText(place))).toEqual(place);
});

function open(text: string): ObjectStore {
  const place = readLocation(text);
  if (!place) throw new Error(`${text} is no place`);
  return openStore(place);
}
