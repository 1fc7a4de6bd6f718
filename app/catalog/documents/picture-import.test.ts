import { execFileSync } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const home = vi.hoisted(() => {
  const { mkdtempSync } = process.getBuiltinModule("node:fs");
  const folder = mkdtempSync(`${process.getBuiltinModule("node:os").tmpdir()}/irepo-pictures-`);
  process.env.DATA_DIR = folder;
  return folder;
});

import { env } from "#app/infra/env.server.ts";
import { contentHash, listOriginals, originalOf } from "../pictures/originals.server.ts";
import { prepareProducts, problemText } from "./product.server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "irepo-import-"));
const outside = mkdtempSync(path.join(tmpdir(), "irepo-outside-"));
const pixels = Uint8Array.from({ length: 80 * 100 * 3 }, (_, index) => (index * 7919) % 251);
const tee = await sharp(pixels, { raw: { width: 80, height: 100, channels: 3 } })
  .withExif({ IFD0: { Artist: "GPS 6.45 N" } })
  .jpeg()
  .toBuffer();
writeFileSync(path.join(folder, "tee.jpg"), tee);
writeFileSync(path.join(outside, "tee.jpg"), tee);

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => {
  for (const one of [home, folder, outside]) rmSync(one, { recursive: true });
});

/** A server on this machine. `asked` lists the paths of its requests. */
async function serve(answer: RequestListener, host = "127.0.0.1", port = 0) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  }).listen(port, host);
  servers.push(server);
  await once(server, "listening");
  return { asked, port: (server.address() as AddressInfo).port };
}

/** The result of importing a product with one picture. `mayReach` allows requests to the test's own servers. */
async function importOf(source: string, mayReach?: (address: string) => boolean) {
  const { products, problems } = await prepareProducts(
    [{ id: "tee", title: "Tee", price: 10, images: [source] }],
    folder,
    {
      mayReach,
    },
  );
  return { image: products[0]?.images?.[0], problem: problems.map(problemText).join("\n") };
}
const anywhere = () => true;

describe("a picture from an address", () => {
  test.each([
    ["this machine", "http://127.0.0.1:PORT/tee.jpg"],
    ["this machine by its name", "http://localhost:PORT/tee.jpg"],
    ["this machine as a number", "http://2130706433:PORT/tee.jpg"],
    ["this machine in short and octal", "http://0177.1:PORT/tee.jpg"],
    ["no machine", "http://0.0.0.0:PORT/tee.jpg"],
    ["this machine in IPv6", "http://[::1]:PORT/tee.jpg"],
    ["this machine, mapped into IPv6", "http://[::ffff:127.0.0.1]:PORT/tee.jpg"],
    ["this machine, translated into IPv6", "http://[64:ff9b::7f00:1]:PORT/tee.jpg"],
    ["this machine by way of 6to4", "http://[2002:7f00:1::]:PORT/tee.jpg"],
    ["a private network, 10/8", "http://10.0.0.1:PORT/tee.jpg"],
    ["a private network, 172.16/12", "http://172.31.255.1:PORT/tee.jpg"],
    ["a private network, 192.168/16", "http://192.168.1.1:PORT/tee.jpg"],
    ["a private network of IPv6", "http://[fd00::1]:PORT/tee.jpg"],
    ["what a cloud tells its machines", "http://169.254.169.254/latest/meta-data/"],
    ["this link in IPv6", "http://[fe80::1]:PORT/tee.jpg"],
    ["a provider's own network", "http://100.64.0.1:PORT/tee.jpg"],
    ["many machines at once", "http://224.0.0.1:PORT/tee.jpg"],
    ["many machines at once in IPv6", "http://[ff02::1]:PORT/tee.jpg"],
    ["every machine", "http://255.255.255.255:PORT/tee.jpg"],
  ])("of %s is refused without a request", async (_, url) => {
    const { asked, port } = await serve((_, response) => response.end(tee));
    const { image, problem } = await importOf(url.replace("PORT", String(port)));
    expect(image).toBeUndefined();
    expect(problem).toMatch(/is no public address/);
    expect(asked).toEqual([]);
  });

  test("of a product that is refused anyway is not requested", async () => {
    const { asked, port } = await serve((_, response) => response.end(tee));
    const images = [`http://127.0.0.1:${port}/tee.jpg`];
    const documents = [
      { id: "tee", title: "Tee", price: "much", images },
      { id: "tee", title: "Tee", price: 10, images },
    ];
    const { products, refused } = await prepareProducts(documents, folder, { mayReach: anywhere });
    expect([products, refused.length, asked]).toEqual([[], 2, []]);
  });

  test("S54 with a host name is requested only at public addresses", async () => {
    const { port } = await serve((_, response) => response.end(tee));
    answerNames(["10.0.0.1", "127.0.0.1"]);
    const source = `http://pictures.example:${port}/tee.jpg`;
    expect((await importOf(source)).problem).toMatch(/10\.0\.0\.1, 127\.0\.0\.1 is no public address/);
    expect((await importOf(source, (address) => address === "127.0.0.1")).problem).toBe("");
  });

  test("S54 with a host name is requested at the address that was checked, even if the name changes meanwhile", async () => {
    const { port } = await serve((_, response) => response.end(tee));
    const inside = await serve((_, response) => response.end("secret"), "127.0.0.2", port);
    const lookup = answerNames(["127.0.0.1"], ["127.0.0.2"]);
    const { problem } = await importOf(`http://pictures.example:${port}/tee.jpg`, (address) => address === "127.0.0.1");
    expect([problem, inside.asked, lookup.mock.calls.length]).toEqual(["", [], 1]);
  });

  test("S54 that redirects is not followed", async () => {
    const { asked, port } = await serve((_, response) => response.writeHead(302, { Location: "/tee.jpg" }).end());
    const { problem } = await importOf(`http://127.0.0.1:${port}/moved`, anywhere);
    expect(problem).toMatch(/leads to another address/);
    expect(asked).toEqual(["/moved"]);
  });

  test("with an endless response is too large, whatever its Content-Length", async () => {
    const MB = Buffer.alloc(1024 * 1024);
    const { port } = await serve((_, response) => void Readable.from(Array(40).fill(MB)).pipe(response));
    expect((await importOf(`http://127.0.0.1:${port}/tee.jpg`, anywhere)).problem).toMatch(/more than 30 MB/);
  });

  test.each<[string, RequestListener, RegExp]>([
    [
      "breaks off",
      (_, response) => void response.writeHead(200).write(tee.subarray(0, 100), () => response.destroy()),
      /cannot be fetched: aborted/,
    ],
    ["answers that it is not there", (_, response) => response.writeHead(404).end(), /answered with 404/],
    ["answers that it is away", (_, response) => response.writeHead(503).end(tee), /answered with 503/],
    [
      "answers with a page",
      (_, response) => response.end("<!doctype html><h1>Sign in to this network</h1>"),
      /is no picture/,
    ],
    ["answers with nothing", (_, response) => response.end(), /is no picture/],
    ["answers with half a picture", (_, response) => response.end(tee.subarray(0, tee.length / 2)), /is no picture/],
  ])("whose server %s is reported with the reason, and nothing is stored", async (_, answer, says) => {
    const { port } = await serve(answer);
    const before = await listOriginals();
    const url = `http://127.0.0.1:${port}/tee.jpg`;
    const { image, problem } = await importOf(url, anywhere);
    expect([image, problem]).toEqual([undefined, expect.stringMatching(says)]);
    expect(problem).toContain(url);
    expect(await listOriginals()).toEqual(before);
  });

  test("whose server is down is reported with the reason", async () => {
    const { port } = await serve(() => undefined);
    for (const server of servers.splice(0)) server.close();
    expect((await importOf(`http://127.0.0.1:${port}/tee.jpg`, anywhere)).problem).toMatch(
      /cannot be fetched: .*ECONNREFUSED/,
    );
  });

  test.each<[string, RequestListener]>([
    ["says nothing", () => undefined],
    ["stops in the midst of the picture", (_, response) => void response.writeHead(200).write(tee.subarray(0, 100))],
  ])("whose server %s is given up after 20 seconds", async (_, answer) => {
    const { port } = await serve(answer);
    const after = AbortSignal.timeout.bind(AbortSignal);
    const limits = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => after(300));
    expect((await importOf(`http://127.0.0.1:${port}/tee.jpg`, anywhere)).problem).toMatch(
      /cannot be fetched: timed out/,
    );
    expect(limits).toHaveBeenCalledWith(20_000);
    limits.mockRestore();
  });

  test("with a hash of this shop in its path is stored under the hash of its own bytes", async () => {
    const { port } = await serve((_, response) => response.end(tee));
    const chosen = "0123456789abcdef0123";
    const { image } = await importOf(`http://127.0.0.1:${port}/images/${chosen}/1200.jpg`, anywhere);
    expect(image?.hash).not.toBe(chosen);
    expect(await originalOf(chosen)).toBeUndefined();
    expect(image?.hash).toBe(contentHash((await originalOf(image?.hash ?? "")) ?? Buffer.alloc(0)));
  });

  test("of this shop is the stored picture, without a request", async () => {
    const { image } = await importOf("tee.jpg");
    const before = await listOriginals();
    const again = await importOf(`${env.publicUrl.origin}/images/${image?.hash}/1200.jpg`);
    expect(again).toEqual({ image, problem: "" });
    expect(await listOriginals()).toEqual(before);
    const gone = await importOf(`${env.publicUrl.origin}/images/0123456789abcdef0123/1200.jpg`);
    expect(gone.problem).toMatch(/this shop has no such picture/);
  });
});

describe("a picture from a file", () => {
  beforeEach(() => mkdirSync(path.join(folder, "inner"), { recursive: true }));

  test.each([
    ["above the folder", () => `../${path.basename(outside)}/tee.jpg`],
    ["named from the root", () => path.join(outside, "tee.jpg")],
    ["behind a link out of the folder", () => link(path.join(outside, "tee.jpg"), "link.jpg")],
    ["in a linked folder", () => `${link(outside, "linked")}/tee.jpg`],
    ["in a folder whose name begins alike", () => alike()],
  ])("%s is refused", async (_, source) => {
    expect(await importOf(source())).toEqual({
      image: undefined,
      problem: expect.stringMatching(/lies outside the folder of the import/),
    });
  });

  test.each([
    ["a folder", () => "inner", /is no file/],
    ["a pipe, which would never end", () => pipe(), /is no file/],
    ["a device", () => link("/dev/zero", "zero.jpg"), /lies outside/],
    ["not there", () => "none.jpg", /is not in the folder of the import/],
    ["a name that no file has", () => "a\0b.jpg", /is not in the folder of the import/],
    ["a file by its URL", () => `file://${folder}/tee.jpg`, /is not in the folder of the import/],
    ["too large", () => large(), /more than 30 MB/],
  ])("is refused if it is %s", async (_, source, says) => {
    expect((await importOf(source())).problem).toMatch(says);
  });

  test.each(["tee.jpg", "./inner/../tee.jpg"])("inside the folder is taken: %s", async (source) => {
    expect((await importOf(source)).problem).toBe("");
  });

  test("behind a link that stays inside the folder is taken", async () => {
    expect((await importOf(link(path.join(folder, "tee.jpg"), "inside.jpg"))).problem).toBe("");
  });

  function link(to: string, name: string): string {
    rmSync(path.join(folder, name), { force: true });
    symlinkSync(to, path.join(folder, name));
    return name;
  }
  function alike(): string {
    mkdirSync(`${folder}-2`, { recursive: true });
    writeFileSync(`${folder}-2/tee.jpg`, tee);
    return `../${path.basename(folder)}-2/tee.jpg`;
  }
  function pipe(): string {
    execFileSync("mkfifo", [path.join(folder, "pipe.jpg")]);
    return "pipe.jpg";
  }
  function large(): string {
    writeFileSync(path.join(folder, "large.jpg"), Buffer.alloc(31 * 1024 * 1024));
    return "large.jpg";
  }
});

describe("the stored picture", () => {
  const write = (name: string, bytes: Buffer | string) => {
    writeFileSync(path.join(folder, name), bytes);
    return name;
  };

  test("has neither metadata nor appended data", async () => {
    const { image } = await importOf(write("more.jpg", Buffer.concat([tee, Buffer.from("<script>alert(1)</script>")])));
    const kept = (await originalOf(image?.hash ?? "")) ?? Buffer.alloc(0);
    expect(kept.toString("latin1")).not.toMatch(/GPS|script/);
    expect((await sharp(kept).metadata()).exif).toBeUndefined();
  });

  test.each<[string, () => Promise<string> | string]>([
    [
      "a drawing, which can hold scripts",
      () => write("a.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ["a page", () => write("a.jpg", "<html></html>")],
    ["half a picture", () => write("half.jpg", tee.subarray(0, tee.length / 2))],
    ["a small file of very many pixels", async () => write("bomb.png", await bomb())],
  ])("%s is no picture, and nothing of it is kept", async (_, source) => {
    const before = await listOriginals();
    expect((await importOf(await source())).problem).toMatch(/is no picture/);
    expect(await listOriginals()).toEqual(before);
  });

  test.each(["png", "webp", "avif", "gif", "tiff"] as const)("of a %s is a JPEG of the same size", async (format) => {
    const { image, problem } = await importOf(write(`a.${format}`, await sharp(tee).toFormat(format).toBuffer()));
    expect([problem, image?.width, image?.height]).toEqual(["", 80, 100]);
    expect((await sharp(await originalOf(image?.hash ?? "")).metadata()).format).toBe("jpeg");
  });

  test("is the same after a repeated import, also from an export of this shop", async () => {
    const { image } = await importOf("tee.jpg");
    const before = readdirSync(path.join(home, "pictures"));
    expect((await importOf("tee.jpg")).image).toEqual(image);
    const exported = write("exported.jpg", readFileSync(path.join(home, "pictures", `${image?.hash}.jpg`)));
    expect((await importOf(exported)).image).toEqual(image);
    expect(readdirSync(path.join(home, "pictures"))).toEqual(before);
  });

  async function bomb(): Promise<Buffer> {
    return sharp({ create: { width: 9000, height: 9000, channels: 3, background: "#000000" }, limitInputPixels: false })
      .png()
      .toBuffer();
  }
});

/** Replaces DNS lookups by these results, one after the other. The last one is repeated. */
function answerNames(...answers: string[][]) {
  const lookup = vi.spyOn(dns, "lookup");
  lookup.mockImplementation(((_: string, __: object, callback: (error: null, found: dns.LookupAddress[]) => void) => {
    const found = answers.length > 1 ? answers.shift() : answers[0];
    callback(
      null,
      (found ?? []).map((address) => ({ address, family: 4 })),
    );
  }) as typeof dns.lookup);
  return lookup;
}
