import pino from "pino";
import { currentRequest } from "#app/infra/http/request-context.server.ts";
import { env } from "./env.server.ts";
import { repeatedErrors, type Telling } from "./log/repeated-errors.ts";
import { printableJson } from "./text/terminal-text.ts";

const tellingOf = repeatedErrors((cause, times) => log.warn({ cause, times }, "the same error came again"));

let destination: pino.DestinationStream = pino.destination(1);

const exclusions: ((error: unknown) => boolean)[] = [];

/** Drops log lines about errors for which `isExcluded` is true: the caller logs such errors in another way. */
export function excludeFromLog(isExcluded: (error: unknown) => boolean): void {
  exclusions.push(isExcluded);
}

/**
 * The structured log on standard output. Each line has the id of its request; the values of the fields listed here are
 * redacted.
 */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    mixin: () => {
      const context = currentRequest();
      return context ? { request: context.id } : {};
    },
    hooks: {
      logMethod(line, write) {
        const { err, ...rest } = (line[0] ?? {}) as { err?: unknown };
        if (err && exclusions.some((isExcluded) => isExcluded(err))) return;
        const telling: Telling = err instanceof Error ? tellingOf(err) : "whole";
        if (telling === "whole") write.apply(this, line);
        else if (telling === "brief") write.apply(this, [{ ...rest, error: String(err) }, line[1]]);
      },
    },
    redact: {
      paths: [
        "password",
        "*.password",
        "authorization",
        "*.authorization",
        "cookie",
        "*.cookie",
        "oobCode",
        "*.oobCode",
        "secretKey",
        "*.secretKey",
        // PostgreSQL quotes the refused row.
        "err.detail",
        "err.where",
      ],
      censor: "[redacted]",
    },
  },
  { write: (line) => void destination.write(printableJson(line)) },
);

/** Sends the log to standard error, for a program whose standard output is its result. */
export function logAside(): void {
  const errors = pino.destination(2);
  destination = { write: (line) => void errors.write(line) };
}
