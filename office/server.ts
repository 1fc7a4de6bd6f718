import type { RequestListener } from "node:http";
import { createRequestHandler } from "react-router";
import { closeDb, databaseWatch, db, openDb } from "#app/infra/database/db.server.ts";
import { closeQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { close } from "#app/infra/http/server/drain.server.ts";
import { methodsAt, methodsOfPages } from "#app/infra/http/server/methods.server.ts";
import { createPatientServer } from "#app/infra/http/server/slow-clients.server.ts";
import { log } from "#app/infra/log.server.ts";
import { OFFICE_OPEN } from "#app/infra/office.server.ts";
import { deleteExpiredOfStaff } from "#app/staff/sessions.server.ts";
import { OFFICE_LIMITS, officeListener } from "./http/edge.server.ts";

const CONNECTIONS = 4;

type Surroundings = {
  /**
   * The folder of the office's own scripts and styles, and the folder of the shop's files, whose fonts the office uses.
   */
  clientFiles: string;
  shopFiles: string;
  /** Wraps the request listener. In development it adds Vite. */
  around?(listener: RequestListener): RequestListener;
};

/**
 * Starts the office in this process, on the same database as the shop's process. Ends the process if the start fails,
 * and when the shop's process ends.
 */
export async function start({ clientFiles, shopFiles, around = (listener) => listener }: Surroundings): Promise<void> {
  const { DATABASE_URL: url = "", DATABASE_DIRECT_URL: direct } = env;
  openDb({ url, direct, max: CONNECTIONS, name: "irepo office" });
  await openQueue(direct ?? url, { watch: databaseWatch() });
  const forgetting = forgetExpired();
  const { routes } = await import("virtual:react-router/server-build");
  const methods = methodsAt(methodsOfPages(routes));
  const listener = officeListener({ page: await pageHandler(), clientFiles, shopFiles, methodsAt: methods });
  const server = createPatientServer(around(listener), OFFICE_LIMITS);

  async function stop(): Promise<void> {
    for (const end of [() => close(server), forgetting.end, closeQueue, closeDb])
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

/** Deletes expired data of staff regularly. Only the office's process may write this data. */
function forgetExpired(): { end(): Promise<void> } {
  let last: Promise<void>;
  const forget = () => {
    last = deleteExpiredOfStaff(db()).catch((error) => log.warn({ err: error }, "expired sessions of staff"));
  };
  forget();
  const timer = setInterval(forget, 5 * MINUTE);
  return {
    // The database may be closed only after the last statement of a deletion under way.
    async end() {
      clearInterval(timer);
      await last;
    },
  };
}

/**
 * In production the build is passed as a value. As a function, which development needs, the router would compute its
 * routes again for each request.
 */
async function pageHandler() {
  const build = () => import("virtual:react-router/server-build");
  return createRequestHandler(env.NODE_ENV === "production" ? await build() : build, env.NODE_ENV);
}
