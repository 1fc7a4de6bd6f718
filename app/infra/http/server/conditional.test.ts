import { expect, test } from "vitest";
import { isRangeMeant, isUnchanged } from "./conditional.ts";

const file = { etag: '"abc"', lastModified: "Sun, 22 Nov 2026 10:00:00 GMT" };
const [before, after] = ["Sun, 22 Nov 2026 09:59:59 GMT", "Sun, 22 Nov 2026 10:00:01 GMT"];

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ "If-None-Match": '"abc"' }, true],
  [{ "If-None-Match": 'W/"abc"' }, true],
  [{ "If-None-Match": '"old", "abc"' }, true],
  [{ "If-None-Match": "*" }, true],
  [{ "If-None-Match": '"old"' }, false],
  [{ "If-Modified-Since": file.lastModified }, true],
  [{ "If-Modified-Since": after }, true],
  [{ "If-Modified-Since": before }, false],
  [{ "If-Modified-Since": "yesterday" }, false],
  [{ "If-None-Match": '"old"', "If-Modified-Since": after }, false],
  [{ "If-None-Match": '"abc"', "If-Modified-Since": before }, true],
])("55 a cached copy with %j is still valid: %s", (asked, unchanged) =>
  expect(isUnchanged(new Headers(asked), file)).toBe(unchanged),
);

test.each<[string | undefined, boolean]>([
  [undefined, true],
  ['"abc"', true],
  [file.lastModified, true],
  ['W/"abc"', false],
  ['"old"', false],
  [before, false],
  [after, false],
])("55 If-Range %s allows a partial response: %s", (version, meant) =>
  expect(isRangeMeant(new Headers(version ? { "If-Range": version } : {}), file)).toBe(meant),
);
