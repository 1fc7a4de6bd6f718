import pino from "pino";
import { env } from "./env.server.ts";
import { currentRequest } from "./request-context.server.ts";
import { printableJson } from "./terminal-text.ts";

let destination: pino.DestinationStream = pino.destination(1);

/** Structured log on standard output, with the id of the request that a line is about; values under these names never reach it. */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    mixin: () => {
      const asked = currentRequest();
      return asked ? { request: asked.id } : {};
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
