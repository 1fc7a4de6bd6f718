import http from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

// A separate program, so that sending this load does not delay the clocks of the other visitors. Reads an Attack as
// JSON, prints an Attacked.

export type Attack = {
  url: string;
  address: string;
  /** `{n}` in the path becomes another number in each request. */
  method: "GET" | "POST";
  path: string;
  type?: string;
  body?: { text: string; times: number } | { base64: string };
  /** Each request carries one of these, in turn. */
  cookies?: string[];
  connections: number;
  seconds: number;
  /** Whether each request opens a new connection. */
  isFresh: boolean;
};
export type Attacked = { answered: number; refused: number; broken: number };

if (import.meta.main) {
  const attack = (await json(process.stdin)) as Attack;
  process.stdout.write(JSON.stringify(await run(attack)));
  process.exit(0);
}

async function run(attack: Attack): Promise<Attacked> {
  const agent = attack.isFresh ? false : new http.Agent({ keepAlive: true, maxSockets: attack.connections });
  const body = bodyOf(attack);
  const counts: Attacked = { answered: 0, refused: 0, broken: 0 };
  const ends = performance.now() + attack.seconds * 1000;
  let number = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < ends) await ask(attack, number++, agent, body, counts);
  };
  await Promise.race([
    Promise.all(Array.from({ length: attack.connections }, one)),
    sleep(attack.seconds * 1000 + 500),
  ]);
  return counts;
}

function bodyOf({ body }: Attack): Buffer | undefined {
  if (!body) return;
  return "base64" in body ? Buffer.from(body.base64, "base64") : Buffer.from(body.text.repeat(body.times));
}

function ask(
  { url, address, method, path, type, cookies = [] }: Attack,
  number: number,
  agent: http.Agent | false,
  body: Buffer | undefined,
  counts: Attacked,
): Promise<void> {
  const headers = {
    "x-forwarded-for": address,
    ...(cookies.length > 0 && { cookie: cookies[number % cookies.length] }),
    ...(body && { "content-type": type, "content-length": body.length }),
  };
  return new Promise((resolve) => {
    const asking = http.request(url + path.replace("{n}", String(number)), { agent, method, headers }, (answer) => {
      const isRefused = answer.statusCode === 429 || answer.statusCode === 503;
      counts[isRefused ? "refused" : "answered"]++;
      answer.resume().once("close", resolve);
    });
    asking.once("error", () => {
      counts.broken++;
      resolve();
    });
    asking.end(body);
  });
}
