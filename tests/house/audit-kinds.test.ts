import { expect, test } from "vitest";
import { SUBJECT_KINDS } from "#app/owner/audit-kinds.ts";
import { shipped } from "./sources.ts";

const SUBJECT = /\bsubject(?::| =)[^;\n]*/g;
const KIND = /\bkind: "([^"]+)"/g;

test("the audit log's filters know each kind of subject that the code records", () => {
  const recorded = shipped
    .filter(({ text }) => /\brecordChanges?\b/.test(text))
    .flatMap(({ text }) => text.match(SUBJECT) ?? [])
    .flatMap((subject) => [...subject.matchAll(KIND)].map(([, kind]) => kind));
  expect([...new Set(recorded)].sort()).toEqual([...SUBJECT_KINDS].sort());
});
