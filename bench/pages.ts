import { type ChildProcess, spawn } from "node:child_process";
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { type Figure, type Load, load, median, round } from "./measure.ts";
import { withShop } from "./shop.ts";

export const PAGES = { home: "/", shop: "/shop", product: "/singleProduct/unity-home-jersey", about: "/about" };
const ROUNDS = 3;

/** Measures public pages after a warm-up, in turns with a bare server that sends the same compressed bytes. */
export function pages(): Promise<Figure[]> {
  return withShop(async (shop) => {
    const figures: Figure[] = [];
    for (const [name, path] of Object.entries(PAGES)) {
      const url = shop.url + path;
      const bare = await bareServer(await sample(url));
      const turns: { shop: Load; bare: Load }[] = [];
      await load(url, { seconds: 1 });
      for (let i = 0; i < ROUNDS; i++)
        turns.push({ bare: await load(bare.url, { seconds: 2 }), shop: await load(url, { seconds: 2 }) });
      bare.process.kill();
      const ratio = median(turns.map((turn) => turn.shop.perSecond / turn.bare.perSecond));
      figures.push(
        { name: `${name}: share of a bare server`, value: round(ratio * 100, 0), unit: "%", bar: { min: 60 } },
        { name: `${name}: requests`, value: median(turns.map((turn) => turn.shop.perSecond)), unit: "/s" },
        { name: `${name}: p99`, value: median(turns.map((turn) => turn.shop.p99)), unit: "ms", bar: { max: 5 } },
        { name: `${name}: p99 of the bare server`, value: median(turns.map((turn) => turn.bare.p99)), unit: "ms" },
        {
          name: `${name}: failed`,
          value: turns.reduce((sum, turn) => sum + turn.shop.failed, 0),
          unit: "",
          bar: { max: 0 },
        },
      );
    }
    return figures;
  });
}

type Sample = { headers: http.IncomingHttpHeaders; body: Buffer };

function sample(url: string): Promise<Sample> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers: { "accept-encoding": "br, gzip" } }, async (response) =>
        resolve({ headers: response.headers, body: await buffer(response) }),
      )
      .on("error", reject);
  });
}

async function bareServer({ headers, body }: Sample): Promise<{ url: string; process: ChildProcess }> {
  const { "transfer-encoding": _, connection: __, "keep-alive": ___, date: ____, ...kept } = headers;
  const child = spawn(process.execPath, ["bench/bare-server.ts"], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(
    JSON.stringify({ headers: { ...kept, "content-length": String(body.length) }, body: body.toString("base64") }),
  );
  const port = await new Promise((resolve) => child.stdout.once("data", (chunk) => resolve(String(chunk).trim())));
  return { url: `http://127.0.0.1:${port}/`, process: child };
}
