import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { makeNewer, OLDER, roll, startFleet } from "#tests/support/fleet.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { assetsOf, type Load, underLoad } from "#tests/support/load.ts";
import { type Engine, isInstalled, startWebBalancer } from "./web-balancer.ts";

const UPDATES = Number(process.env.UPDATES ?? 0);
const INSTANCES = 3;
/** The timeout in ms: a minute for each update and five more, on a machine that does everything else as well. */
const WITHIN = (5 + UPDATES) * 60_000;
const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** nginx does not check /readyz, and so learns of an update only from its requests. */
const PLAN: [Engine, number][] = [
  ["haproxy", UPDATES],
  ["nginx", Math.ceil(UPDATES / 10)],
];

describe.skipIf(!UPDATES)("instances are replaced under load (npm run chaos -- --machines --updates 200)", () => {
  test.for(PLAN.map(([engine, updates]) => ({ engine, updates })))(
    "$updates updates behind $engine, one instance of three at a time, to another version and back: no request fails, no order is lost or doubled",
    { timeout: WITHIN },
    async ({ engine, updates }, { skip }) => {
      if (!isInstalled(engine)) skip(`${engine} is not installed`);
      const folder = mkdtempSync(path.join(tmpdir(), "irepo-updates-"));
      const NEWER = path.join(folder, "newer");
      await makeNewer(NEWER);
      const balance = (addresses: string[]) => startWebBalancer(engine, addresses);
      const fleet = await startFleet(inject("postgresUrl"), INSTANCES, balance, () => ({ DRAIN_DELAY: "3" }));
      onTestFinished(async () => {
        await fleet.stop();
        rmSync(folder, { recursive: true });
      });
      const { balancer, shop, command, instances, databaseUrl } = fleet;
      const customers = [await newCustomer(shop, "ada@example.com"), await newCustomer(shop, "bola@example.com")];
      const opened = await assetsOf(await fetch(`${balancer.url}/`));
      const took: number[] = [];
      const update = async ({ wrong, bought, counts }: Load) => {
        await command(NEWER, "migrate");
        for (let count = 0; count < updates; count++) {
          const [instance] = instances.slice(count % INSTANCES);
          if (!instance) continue;
          const begun = performance.now();
          await roll(instance, Math.floor(count / INSTANCES) % 2 === 0 ? NEWER : OLDER);
          took.push(performance.now() - begun);
          if (count % 10 === 9)
            say(`${count + 1} updates: ${counts.requests} requests, ${bought.length} orders, failed: ${wrong}`);
        }
      };
      const { wrong, bought, counts } = await underLoad(fleet, customers, update, opened);
      say(
        `${engine}: ${updates} updates, ${(median(took) / 1000).toFixed(1)} s each (at most ${(Math.max(...took) / 1000).toFixed(1)}); ` +
          `${counts.requests} requests, ${wrong.length} failed; ${bought.length} orders; ${counts.streamsEnded} streams ended and came back`,
      );
      expect(wrong, balancer.said()).toEqual([]);
      expect(new Set(bought).size).toBe(bought.length);
      expect(await ask(databaseUrl, "select count(*)::int as sales from sales")).toEqual([{ sales: bought.length }]);
      await command(NEWER, "check", "--provider");
    },
  );
});
