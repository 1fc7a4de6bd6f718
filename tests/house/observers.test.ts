import { expect, test } from "vitest";
import { shipped } from "./sources.ts";

test("what measures and traces is loaded only by those who ask whether its setting is there", () => {
  const HEAVY = /^app\/infra\/(?:metrics|tracing\/open-telemetry)/;
  const LOADS =
    /^import (?!type\b)[^;]*"(?:@opentelemetry\/|prom-client|#app\/infra\/metrics\/|#app\/infra\/tracing\/open-)/m;
  const wrong = shipped.filter(({ file, text }) => !HEAVY.test(file) && LOADS.test(text));
  expect(wrong.map(({ file }) => file)).toEqual([]);
});
