vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, expect, test, vi } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const ask = useOfficePages();
let cookies: string[];

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(database.db(), "owner"));
});

const rename = (name: string, was = "Prints") =>
  ask("/kinds", cookies, { intent: "rename", kind: "prints", name, was });
/** The texts of the list of kinds and of the form for a new one. */
const partsOf = ({ text }: OfficePage) => {
  const [list = "", form = ""] = text.split("New kind");
  return { list, form };
};
/** The values of the fields beside which a problem stands. */
const refusedIn = ({ fields }: OfficePage) =>
  fields.filter((field) => "aria-invalid" in field).map(({ value = "" }) => value);
/** The kinds whose form with another name is open, and what stands in it. */
const openIn = ({ raw }: OfficePage) =>
  [...raw.matchAll(/<details open="">.*?name="kind" value="([^"]*)".*?<\/details>/gs)].map(([form, kind]) => [
    kind,
    / name="name"[^>]* value="([^"]*)"/.exec(form)?.[1],
  ]);

test.each([
  ["", "Give it a name"],
  ["x".repeat(41), "At most 40 letters"],
  ["TEES", "Another kind is called Tees"],
])("a kind can't be called %j: its own field says why, and keeps what was typed", async (name, problem) => {
  const refused = await rename(name);
  expect(refused.status).toBe(422);
  const { list, form } = partsOf(refused);
  expect(list.split(problem)).toHaveLength(2);
  expect(form).not.toContain(problem);
  expect(refusedIn(refused)).toEqual([name]);
  expect(openIn(refused)).toEqual([["prints", name]]);
});

test("a new name stays typed if somebody else has renamed the kind meanwhile", async () => {
  const refused = await rename("Posters", "Wall art");
  expect(refused.text).toContain("Somebody else has called it Prints meanwhile");
  expect(openIn(refused)).toEqual([["prints", "Posters"]]);
});

test("what is wrong with a new kind stands at its form alone", async () => {
  const refused = await ask("/kinds", cookies, { intent: "add", name: "x".repeat(41), address: "wall" });
  const { list, form } = partsOf(refused);
  expect(form).toContain("At most 40 letters");
  expect(list).not.toContain("At most 40 letters");
  expect(refusedIn(refused)).toEqual(["x".repeat(41)]);
  expect(openIn(refused)).toEqual([]);
});
