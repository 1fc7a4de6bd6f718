import pino from "pino";
import { env } from "./env.server.ts";

let destination = pino.destination(1);

const leftOut: ((error: unknown) => boolean)[] = [];

/** Lines about errors that somebody else accounts for are not written. */
export function leaveOut(isAccountedFor: (error: unknown) => boolean): void {
  leftOut.push(isAccountedFor);
}

/** Structured log on standard output; values under these names never reach it. */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    hooks: {
      logMethod(line, write) {
        const { err } = (line[0] ?? {}) as { err?: unknown };
        if (!err || !leftOut.some((isAccountedFor) => isAccountedFor(err))) write.apply(this, line);
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
      ],
      censor: "[redacted]",
    },
  },
  { write: (line) => void destination.write(line) },
);

/** For a program whose standard output is its answer: the log goes to standard error. */
export function logAside(): void {
  destination = pino.destination(2);
}
