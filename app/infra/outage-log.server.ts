import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#app/infra/durations.ts";
import { errorCode, errorMessage } from "#app/infra/error-fields.ts";
import { excludeFromLog, log } from "./log.server.ts";

const PROBE_INTERVAL = SECOND;
/** It is back when it has worked for so long: longer than whoever needs it waits between two tries. */
const STEADY_FOR = 3 * SECOND;

export type Dependency = {
  failed(error: unknown): void;
  works(): void;
};

const counted = new WeakSet<object>();
excludeFromLog((error) => typeof error === "object" && error !== null && counted.has(error));

/**
 * Something that the shop needs and that can be away. Its going is one line of the log and its coming back another one, with how long it was away
 * and how many failures there were between: these are counted, not told one by one.
 * While it is away, `probe` asks for it once a second; without a probe, whoever reaches it says that it works.
 */
export function dependency(what: string, probe?: () => Promise<unknown>): Dependency {
  let away: { since: number; failures: number } | undefined;
  let steady: NodeJS.Timeout | undefined;

  function failed(error: unknown): void {
    if (typeof error === "object" && error !== null) {
      if (counted.has(error)) return;
      counted.add(error);
    }
    clearTimeout(steady);
    steady = undefined;
    if (away) {
      away.failures++;
      return;
    }
    away = { since: performance.now(), failures: 1 };
    log.warn({ reason: reasonOf(error) }, `${what} is away`);
    if (probe) void probeUntilBack(probe);
  }
  function works(): void {
    if (!away || steady) return;
    const { since } = away;
    const seconds = Math.round((performance.now() - since) / SECOND);
    steady = setTimeout(() => {
      log.warn({ seconds, failures: away?.failures }, `${what} is back`);
      away = undefined;
      steady = undefined;
    }, STEADY_FOR).unref();
  }
  async function probeUntilBack(probe: () => Promise<unknown>): Promise<void> {
    while (away) {
      await sleep(PROBE_INTERVAL, undefined, { ref: false });
      try {
        await probe();
        works();
      } catch {} // counted where it happens
    }
  }
  return { failed, works };
}

function reasonOf(error: unknown): string {
  return errorMessage(error) || errorCode(error) || String(error); // the message of several addresses, none of which answers, is empty
}
