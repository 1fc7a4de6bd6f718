import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { MINUTE } from "#app/infra/durations.ts";
import { type FaultProxy, startFaultProxy } from "#tests/chaos/fault-proxy.ts";
import { ask } from "#tests/support/ask-database.ts";
import { type Fleet, type Instance, PRODUCT, startFleet } from "#tests/support/fleet.ts";
import {
  endPayment,
  LAGOS,
  newCustomer,
  newVisitor,
  PASSWORD,
  pressPay,
  type Visitor,
} from "#tests/support/http-visitor.ts";
import { mailTo } from "#tests/support/mailbox.ts";
import { type S3Server, s3Settings, startS3Server } from "#tests/support/s3-server.ts";
import { isInstalled, startWebBalancer, type WebBalancer } from "./web-balancer.ts";

// docs/reliability.md has a table of what works during each fault. The table is read here, and each cell is tried.

const [, section = ""] = readFileSync("docs/reliability.md", "utf8").split("## What still works");
const table = section
  .split("\n## ")
  .slice(0, 1)
  .flatMap((text) => text.split("\n"))
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").map((cell) => cell.trim()));
const rows = table.slice(1).map(([, fault = "", ...cells]) => ({ fault, cells: cells.slice(0, -1) }));

let s3: S3Server;
let bucket: FaultProxy;
let balancer: WebBalancer;
let fleet: Fleet<WebBalancer>;
let customers: Visitor[];

/** Each function begins a fault, and returns the function that ends it. */
const FAULTS: Record<string, () => Promise<() => unknown>> = {
  nothing: async () => () => undefined,
  "the bucket is dead": async () => {
    bucket.toxics.down = true;
    bucket.cut(100, Math.random);
    return () => (bucket.toxics.down = false);
  },
  "the bucket takes 10 s for an answer": async () => {
    bucket.toxics.latency = 10_000;
    return () => (bucket.toxics.latency = 0);
  },
  "one instance is dead": async () => {
    await last().shop.kill();
    return last().shop.start;
  },
  "one instance is frozen, and the balancer has seen it": async () => {
    const pid = last().shop.pid();
    const before = balancer.said().length;
    process.kill(pid, "SIGSTOP");
    await expect.poll(() => balancer.said().slice(before), { timeout: MINUTE }).toContain("shop/shop-3 is DOWN");
    return () => process.kill(pid, "SIGCONT");
  },
  "the balancer asks `/healthz`": () => asking("GET /healthz"),
  "the balancer asks for what is not there": async () => {
    const back = await asking("GET /alive");
    await expect.poll(balancer.said).toContain("has no server available");
    return back;
  },
  "the balancer asks by HTTP/1.0 without a name": () => asking("GET /readyz HTTP/1.0"),
};

test("each fault has its row, and each row its fault", () => {
  expect(rows.map(({ fault }) => fault)).toEqual(Object.keys(FAULTS));
});

function last(): Instance {
  const instance = fleet.instances.at(-1);
  if (!instance) throw new Error("There is no instance");
  return instance;
}

/** Replaces the balancer by one with this probe. Returns a function that restores the usual one. */
async function asking(probe?: string): Promise<() => Promise<unknown>> {
  await balancer.close();
  const addresses = fleet.instances.map(({ shop }) => shop.url.replace("http://localhost", "127.0.0.1"));
  balancer = await startWebBalancer("haproxy", addresses, { probe, port: Number(new URL(fleet.shop.url).port) });
  return () => asking();
}

// Journeys: each returns "yes", or the status that was in the way.

const worked = (status: number, expected: number) => (status === expected ? "yes" : String(status));

async function pages(): Promise<string[]> {
  const places = ["/", "/shop", "/singleProduct/rings-tee", "/login", "/Cart", "/account"];
  return Promise.all(places.map(async (place) => worked((await customers[0]?.get(place))?.status ?? 0, 200)));
}

async function buy(customer: Visitor): Promise<[cart: string, checkout: string, paying: string]> {
  const added = await customer.post("/Cart", { intent: "add", ...PRODUCT, quantity: "1" });
  const cart = worked(added.status, 303);
  const paying = await pressPay(customer, LAGOS);
  const checkout = worked(paying.status, 303);
  if (checkout !== "yes") return [cart, checkout, checkout];
  const reference = await endPayment(paying.headers.get("location") ?? "", "success");
  const returned = await customer.get(`/checkout/return?reference=${reference}`);
  if (returned.status !== 303) return [cart, checkout, String(returned.status)];
  return [cart, checkout, worked((await customer.get(`/order/${reference}`)).status, 200)];
}

async function mail(): Promise<string> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const person = { firstName: "Ada", lastName: "Obi", email, password: PASSWORD };
  const { status } = await newVisitor(fleet.shop.url).post("/register", person);
  if (status >= 400) return String(status);
  await mailTo(fleet.shop.dataDir, email, /Verify/);
  return "yes";
}

/** Requests sizes of pictures that only the bucket holds. */
async function pictures(): Promise<string[]> {
  const found = await ask(fleet.databaseUrl, "select images -> 0 ->> 'hash' as hash from products limit 3");
  return Promise.all(
    found.map(async ({ hash }) => worked((await fetch(`${fleet.shop.url}/images/${hash}/160.jpg`)).status, 200)),
  );
}

/** All distinct answers. */
const together = (answers: string[]) => [...new Set(answers)].join(", ");

async function journeys(): Promise<string[]> {
  await ask(fleet.databaseUrl, "delete from rate_limits");
  const bought = await Promise.all(customers.map(buy));
  const columns = ([0, 1, 2] as const).map((at) => together(bought.map((steps) => steps[at])));
  return [together(await pages()), ...columns, await mail(), together(await pictures())];
}

describe.skipIf(!isInstalled("haproxy"))(
  "three instances behind haproxy, pictures in a bucket (npm run chaos -- --machines)",
  () => {
    beforeAll(async () => {
      s3 = await startS3Server();
      bucket = await startFaultProxy(s3.port);
      const balance = async (addresses: string[]) => (balancer = await startWebBalancer("haproxy", addresses));
      const pictures = { ...s3Settings(bucket.port), PICTURES_URL: "s3://pictures" };
      fleet = await startFleet(inject("postgresUrl"), 3, balance, () => ({ DRAIN_DELAY: "2", ...pictures }));
      customers = [];
      for (const name of ["ada", "bola", "chi"]) customers.push(await newCustomer(fleet.shop, `${name}@example.com`));
    }, 5 * MINUTE);
    afterAll(async () => {
      await fleet?.stop();
      await balancer?.close();
      await bucket?.close();
      await s3?.stop();
    });

    test.each(rows)("$fault", { timeout: 3 * MINUTE }, async ({ fault, cells }) => {
      const back = await FAULTS[fault]?.();
      try {
        expect(await journeys()).toEqual(cells);
      } finally {
        await back?.();
      }
      await expect.poll(() => pages().then(together), { timeout: MINUTE }).toBe("yes");
    });

    test("what a frozen instance has been asked for and changes nothing is answered by another one", async () => {
      process.kill(last().shop.pid(), "SIGSTOP");
      try {
        const asked = Array.from({ length: 12 }, () => fetch(`${fleet.shop.url}/shop?size=M`));
        expect(together((await Promise.all(asked)).map(({ status }) => worked(status, 200)))).toBe("yes");
      } finally {
        process.kill(last().shop.pid(), "SIGCONT");
      }
    });

    test("a balancer that asks /healthz sends visitors to an instance that opens: they wait until it is open", async () => {
      const back = await asking("GET /healthz");
      const answers = new Set<number>();
      let isOpen = false;
      const restarted = last()
        .shop.restart()
        .then(() => (isOpen = true));
      while (!isOpen) answers.add((await fetch(`${fleet.shop.url}/login`)).status);
      await restarted;
      await back();
      expect(answers).toEqual(new Set([200]));
    });

    test("afterwards the books agree", async () => {
      expect(await fleet.command(process.cwd(), "check", "--provider")).toContain("agrees");
    });
  },
);
