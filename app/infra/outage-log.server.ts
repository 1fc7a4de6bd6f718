import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#app/infra/durations.ts";
import { errorCode, errorMessage } from "#app/infra/error-fields.ts";
import { excludeFromLog, log } from "./log.server.ts";

const PROBE_INTERVAL = SECOND;
/** An outage ends after 3 s without an error; retries come sooner than that, so one lucky try does not end it. */
const STEADY_FOR = 3 * SECOND;

export type Dependency = {
  failed(error: unknown): void;
  works(): void;
};

const AWAY = { goes: "is away", comes: "is back" };

const counted = new WeakSet<object>();
excludeFromLog((error) => typeof error === "object" && error !== null && counted.has(error));

/**
 * A service that the shop needs and that can be away. The start of an outage is one line in the log, and its end
 * another one, with the duration and the number of failures, which are not logged one by one. During an outage, `probe`
 * is called once a second; without a probe, the code that uses the service calls `works`.
 */
export function dependency(what: string, probe?: () => Promise<unknown>, words = AWAY): Dependency {
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
    log.warn({ reason: reasonOf(error) }, `${what} ${words.goes}`);
    if (probe) void probeUntilBack(probe);
  }
  function works(): void {
    if (!away || steady) return;
    const { since } = away;
    const seconds = Math.round((performance.now() - since) / SECOND);
    steady = setTimeout(() => {
      log.warn({ seconds, failures: away?.failures }, `${what} ${words.comes}`);
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
      } catch {} // counted where the error occurs
    }
  }
  return { failed, works };
}

function reasonOf(error: unknown): string {
  // The error of a name with several addresses, none of which answers, has an empty message.
  return errorMessage(error) || errorCode(error) || String(error);
}
