import { rmSync } from "node:fs";
import { startPostgres } from "#app/infra/database/postgres.server.ts";
import { type Balancer, startBalancer } from "#tests/support/balancer.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { newDataDir } from "#tests/support/running-shop.ts";
import type { Drill } from "./drill.ts";

type Settings = Record<string, string>;

/**
 * Two instances on one PostgreSQL, behind a balancer that checks /readyz and never retries. `own` derives further
 * settings from the others.
 */
export async function startTwoInstances(
  { afterwards }: Drill,
  own: (others: Settings) => Promise<Settings> = async () => ({}),
): Promise<Fleet<Balancer>> {
  const folder = newDataDir();
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startPostgres(folder);
  afterwards(postgres.stop);
  const balance = (addresses: string[]) => startBalancer(() => addresses.map((address) => `http://${address}`));
  const admin = postgres.url.replace(/\/irepo$/, "/postgres");
  const fleet = await startFleet(admin, 2, balance, async (others) => ({ DRAIN_DELAY: "1", ...(await own(others)) }));
  afterwards(fleet.stop);
  return fleet;
}
