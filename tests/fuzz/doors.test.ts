import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { actions } from "../../cli/commands.ts";
import { isKnownParam, paramsOf } from "./cases.ts";
import { doorsOf } from "./doors.ts";
import { FILES, NO_FILES } from "./files.ts";
import { BODIES, FORMS } from "./forms.ts";

const shop = await doorsOf("shop");
const office = await doorsOf("office");
const all = [...shop, ...office];

test("of every form it is known what it holds", () => {
  const unknown = all.filter(
    ({ app, method, path, intents }) =>
      method === "POST" && !intents && !(path in FORMS[app]) && !(app === "shop" && path in BODIES),
  );
  expect(unknown.map(({ app, path }) => `${app} ${path}: say in tests/fuzz/forms.ts what is sent there`)).toEqual([]);
});

test.each([
  ["shop", shop, [...Object.keys(FORMS.shop), ...Object.keys(BODIES)]],
  ["office", office, Object.keys(FORMS.office)],
] as const)("every form that is known of the %s is there", (_, doors, known) => {
  const sent = doors.filter(({ method, intents }) => method === "POST" && !intents).map(({ path }) => path);
  expect([...known].filter((path) => !sent.includes(path))).toEqual([]);
});

test("of every part of an address it is known what stands there", () => {
  const unknown = all.flatMap(({ path }) => paramsOf(path)).filter((name) => !isKnownParam(name));
  expect(unknown).toEqual([]);
});

test.each([
  ["app/infra/http/server/edge.server.ts", shop],
  ["office/http/edge.server.ts", office],
])("what answers beside the routes in %s is tried, too", (file, doors) => {
  const beside = [...readFileSync(file, "utf8").matchAll(/\bapp\.(get|post|put|delete)\(\s*"([^"*]*[^"*/])/g)];
  expect(beside.length).toBeGreaterThan(1);
  const tried = doors.map(({ method, path }) => `${method} ${path}`);
  const missing = beside
    .map(([, method = "", path = ""]) => `${method.toUpperCase()} ${path}`)
    .filter((one) => !tried.some((door) => door === one || door.startsWith(`${one}/:`)));
  expect(missing).toEqual([]);
});

test("of every command that reads a file it is known what may stand in it", () => {
  const reading = Object.entries(actions).filter(([, { words, changes }]) => changes && /file|dir/.test(words.join()));
  expect(reading.map(([name]) => name).sort()).toEqual([...Object.keys(FILES), ...Object.keys(NO_FILES)].sort());
});
