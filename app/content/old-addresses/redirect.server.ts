import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { subscribe } from "#app/infra/database/listener.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { securityHeaders } from "#app/infra/http/headers.server.ts";
import { log } from "#app/infra/log.server.ts";
import { comparedPath, isOwnPlace } from "./address.ts";
import { countMissed, writeMissed } from "./missed.server.ts";

/** The topic that is published when the old addresses have changed. */
export const OLD_ADDRESSES_TOPIC = "old-addresses";

/** The new addresses by the old ones. */
let known: ReadonlyMap<string, string> = new Map();

const read = batched(async (on) => {
  const rows = await on.selectFrom("oldAddresses").select(["path", "leadsTo"]).execute();
  known = new Map(rows.map(({ path, leadsTo }) => [path, leadsTo]));
});

/**
 * The address to which a path without a page is redirected. Undefined if the owner has named none: the path is then
 * counted. It asks no database, so that thousands of such requests cost no more than kept pages.
 */
export function newAddressOf(path: string): string | undefined {
  const compared = comparedPath(path);
  if (compared === undefined || isOwnPlace(compared)) return;
  const found = known.get(compared);
  if (found === undefined) countMissed(compared);
  return found;
}

/**
 * The headers of a redirect to a new address. Caches keep it no longer than a page, so that a change counts at once.
 * The query of the request is left out: a former shop's parameters mean nothing here, and the new address may have a
 * query of its own.
 */
export function redirectHeaders(to: string): Record<string, string> {
  return { ...securityHeaders, Location: to, "Cache-Control": "public, max-age=0, s-maxage=1", "Content-Length": "0" };
}

/**
 * Reads the old addresses, and again whenever they change, or a minute after that has failed; writes each minute which
 * paths without a page were requested. Returns a function that stops it.
 */
export async function followOldAddresses(on: () => Db): Promise<() => Promise<void>> {
  let isStale = false;
  const readAnew = () =>
    read(on()).then(
      () => {
        isStale = false;
      },
      (error) => {
        isStale = true;
        log.warn({ err: error }, "the old addresses cannot be read anew");
      },
    );
  const unsubscribe = subscribe(OLD_ADDRESSES_TOPIC, readAnew);
  await read(on());
  const write = () =>
    writeMissed(on()).catch((error) => log.warn({ err: error }, "missed addresses cannot be written"));
  const timer = setInterval(() => {
    void write();
    if (isStale) void readAnew();
  }, MINUTE);
  timer.unref();
  return async () => {
    unsubscribe();
    clearInterval(timer);
    await write();
  };
}
