import { rmSync } from "node:fs";
import { startPostgres } from "#app/infra/database/postgres.server.ts";
import { type Balancer, startBalancer } from "#tests/support/balancer.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { newDataDir } from "#tests/support/running-shop.ts";

type Settings = Record<string, string>;

/** Two instances on one PostgreSQL, behind a balancer that asks /readyz and tries nothing twice; `own` makes settings more of the others. */
export async function startTwoInstances(
  own: (others: Settings) => Promise<Settings> = async () => ({}),
): Promise<{ fleet: Fleet<Balancer>; stop(): Promise<void> }> {
  const folder = newDataDir();
  const postgres = await startPostgres(folder);
  const balance = (addresses: string[]) => startBalancer(() => addresses.map((address) => `http://${address}`));
  const admin = postgres.url.replace(/\/irepo$/, "/postgres");
  const fleet = await startFleet(admin, 2, balance, async (others) => ({ DRAIN_DELAY: "1", ...(await own(others)) }));
  return {
    fleet,
    async stop() {
      await fleet.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
