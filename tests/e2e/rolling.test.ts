import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { type Balancer, startBalancer } from "#tests/support/balancer.ts";
import { type Fleet, type Instance, makeNewer, OLDER, roll, startFleet } from "#tests/support/fleet.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { assetsOf, underLoad } from "#tests/support/load.ts";

// Two instances on one database, behind a balancer that follows /readyz and never retries.

const folder = mkdtempSync(path.join(tmpdir(), "irepo-rolling-"));
/** In ms: one version is built, and seven instances and commands are started, on a machine that may be busy. */
const WITHIN = 300_000;
const NEWER = path.join(folder, "newer");
let fleet: Fleet<Balancer>;

beforeAll(async () => {
  const building = makeNewer(NEWER);
  building.catch(() => {}); // told below, also if the fleet fails first
  const balance = (addresses: string[]) => startBalancer(() => addresses.map((address) => `http://${address}`));
  fleet = await startFleet(inject("postgresUrl"), 2, balance, () => ({ DRAIN_DELAY: "4" }));
  await building;
}, WITHIN);
afterAll(async () => {
  await fleet?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test(
  "F58 instances are replaced by another version's, and back, under load: no request fails, no order is lost",
  async () => {
    const { balancer, shop, command, databaseUrl } = fleet;
    balancer.failures.length = 0;
    const [first, second] = fleet.instances as [Instance, Instance];
    const customers = [await newCustomer(shop, "ada@example.com"), await newCustomer(shop, "bola@example.com")];
    const assets = await assetsOf(await fetch(`${balancer.url}/`));
    const { wrong, bought, counts } = await underLoad(fleet, customers, async () => {
      const rolled = roll(first, NEWER);
      await expect
        .poll(first.shop.said, { timeout: WITHIN })
        .toContain("Waiting. The database is older than this version");
      expect(await command(NEWER, "migrate")).toContain("9999-newer");
      await rolled;
      await roll(second, NEWER);
      expect(await assetsOf(await fetch(`${balancer.url}/`))).not.toEqual(assets);
      for (const name of assets) expect([name, (await fetch(balancer.url + name)).status]).toEqual([name, 200]);
      await roll(first, OLDER); // the older version works on the newer database, too
    });
    expect([wrong, balancer.failures]).toEqual([[], []]);
    expect(bought.length).toBeGreaterThan(5);
    expect(await ask(databaseUrl, "select count(*)::int as sales from sales")).toEqual([{ sales: bought.length }]);
    expect(counts.streamsEnded).toBeGreaterThan(customers.length);
    await command(NEWER, "check", "--provider");
  },
  WITHIN,
);
