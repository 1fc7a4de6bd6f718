import pino from "pino";
import { env } from "./env.server.ts";

/** Structured log on standard output; values under these names never reach it. */
export const log = pino({
  level: env.LOG_LEVEL,
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
});
