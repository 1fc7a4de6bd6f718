import type { RequestListener } from "node:http";
import { createRequestHandler } from "react-router";
import { closeDb, databaseWatch, openDb } from "#app/infra/database/db.server.ts";
import { closeQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { env } from "#app/infra/env.server.ts";
import { close } from "#app/infra/http/server/drain.server.ts";
import { createPatientServer } from "#app/infra/http/server/slow-clients.server.ts";
import { log } from "#app/infra/log.server.ts";
import { OFFICE_OPEN } from "#app/infra/office.server.ts";
import { OFFICE_LIMITS, officeListener } from "./http/edge.server.ts";

const CONNECTIONS = 4;

type Surroundings = {
  /** The folder of the office's own scripts and styles, and that of the shop's files, whose fonts it shares. */
  clientFiles: string;
  shopFiles: string;
  /** Stands in front of everything: development puts Vite there. */
  around?(listener: RequestListener): RequestListener;
};

/** Opens the office in this process, on the database that the shop's process names. Ends the process when it cannot open, and with the shop's. */
export async function start({ clientFiles, shopFiles, around = (listener) => listener }: Surroundings): Promise<void> {
  const { DATABASE_URL: url = "", DATABASE_DIRECT_URL: direct } = env;
  openDb({ url, direct, max: CONNECTIONS, name: "irepo office" });
  await openQueue(direct ?? url, { watch: databaseWatch() });
  const listener = officeListener({ page: await pageHandler(), clientFiles, shopFiles });
  const server = createPatientServer(around(listener), OFFICE_LIMITS);

  async function stop(): Promise<void> {
    for (const end of [() => close(server), closeQueue, closeDb])
      await end().catch((error) => log.error({ err: error }, "while the office stops"));
    process.exit(0);
  }
  for (const event of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"] as const) process.once(event, () => void stop());
  server.once("error", ({ message }) => {
    process.stderr.write(`OFFICE_PORT: ${message}\n`);
    process.exit(1);
  });
  server.listen(env.officePort, env.OFFICE_HOST, () => process.send?.(OFFICE_OPEN));
}

/** The build is given as it is: asked for by a function, the router would work out its routes anew for each request, as development needs. */
async function pageHandler() {
  const build = () => import("virtual:react-router/server-build");
  return createRequestHandler(env.NODE_ENV === "production" ? await build() : build, env.NODE_ENV);
}
