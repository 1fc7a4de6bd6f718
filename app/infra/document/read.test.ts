import { expect, test } from "vitest";
import { z } from "zod";
import { readDocument } from "./read.ts";

const kinds = z.object({ title: z.string(), kinds: z.array(z.enum(["tee", "jersey"])).optional() });
const first = ([entry]: readonly PropertyKey[]) => (entry === "title" || entry === undefined ? undefined : [entry]);

test("25 each invalid entry of a list is reported, and the rest of the document is read", () => {
  const read = readDocument((one) => kinds.parse(one), { title: "Tee", kinds: ["a", "b"] }, first);
  expect(read).toEqual({
    value: { title: "Tee" },
    misfits: [
      { field: "kinds.0", reason: expect.any(String) },
      { field: "kinds.1", reason: expect.any(String) },
    ],
  });
});

test("a missing required field makes the document unreadable", () => {
  expect(readDocument((one) => kinds.parse(one), { title: 1, kinds: ["tee"] }, first)).toEqual({
    misfits: [{ field: "title", reason: expect.any(String) }],
  });
});
