import pino from "pino";
import { currentRequest } from "#app/infra/http/request-context.server.ts";
import { env } from "./env.server.ts";
import { printableJson } from "./terminal-text.ts";

let destination: pino.DestinationStream = pino.destination(1);

const exclusions: ((error: unknown) => boolean)[] = [];

/** Lines about errors for which `isExcluded` is true are not written: whoever registers it logs them in another way. */
export function excludeFromLog(isExcluded: (error: unknown) => boolean): void {
  exclusions.push(isExcluded);
}

/** Structured log on standard output, with the id of the request that a line is about; values under these names never reach it. */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    mixin: () => {
      const context = currentRequest();
      return context ? { request: context.id } : {};
    },
    hooks: {
      logMethod(line, write) {
        const { err } = (line[0] ?? {}) as { err?: unknown };
        if (!err || !exclusions.some((isExcluded) => isExcluded(err))) write.apply(this, line);
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
        // PostgreSQL quotes the row that it refuses.
        "err.detail",
        "err.where",
      ],
      censor: "[redacted]",
    },
  },
  { write: (line) => void destination.write(line) },
);

/** For a program whose standard output is its answer: the log goes to standard error. */
export function logAside(): void {
  const errors = pino.destination(2);
  destination = { write: (line) => void errors.write(printableJson(line)) };
}
