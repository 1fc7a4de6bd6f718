import { expect, test } from "vitest";
import { shipped } from "./sources.ts";

test("what measures and traces is loaded only by those who ask whether its setting is there", () => {
  const HEAVY = /^app\/infra\/(?:metrics|tracing\/open-telemetry)/;
  const loads = (text: string, library: string) => new RegExp(`from "(?:${library})`).test(text);
  const wrong = shipped.filter(
    ({ file, text }) =>
      !HEAVY.test(file) &&
      (loads(text, "@opentelemetry/|prom-client") ||
        /^import (?!type)[^;]*"#app\/infra\/(?:metrics\/|tracing\/open-telemetry)/m.test(text)),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});
