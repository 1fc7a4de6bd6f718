import pino from "pino";
import { env } from "./env.server.ts";
import { currentRequest } from "./request-context.server.ts";
import { printableJson } from "./terminal-text.ts";

let destination: pino.DestinationStream = pino.destination(1);

const leftOut: ((error: unknown) => boolean)[] = [];

/** Lines about errors that somebody else accounts for are not written. */
export function leaveOut(isAccountedFor: (error: unknown) => boolean): void {
  leftOut.push(isAccountedFor);
}

/** Structured log on standard output, with the id of the request that a line is about; values under these names never reach it. */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    mixin: () => {
      const asked = currentRequest();
      return asked ? { request: asked.id } : {};
    },
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
  const errors = pino.destination(2);
  destination = { write: (line) => void errors.write(printableJson(line)) };
}
