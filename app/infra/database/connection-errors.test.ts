import { expect, test } from "vitest";
import { DatabaseAway, isConnectionError, isDatabaseConnectionError } from "./connection-errors.ts";

const withCode = (code: string) => Object.assign(new Error("no"), { code });

test.each([
  [new DatabaseAway(), true, true],
  [new Error("Connection terminated unexpectedly"), true, true],
  [new Error("timeout exceeded when trying to connect"), true, true],
  [withCode("57P01"), true, true],
  [withCode("25006"), true, true],
  [withCode("ECONNREFUSED"), false, true],
  [withCode("23505"), false, false],
  [new Error("no such product"), false, false],
  [undefined, false, false],
])("%s: about the database's connection %s, on one of its connections %s", (error, isAlways, isThere) => {
  const copy = error && { ...error, message: error.message }; // as the job queue passes it on
  for (const one of [error, copy]) {
    expect(isDatabaseConnectionError(one)).toBe(isAlways);
    expect(isConnectionError(one)).toBe(isThere);
  }
});
