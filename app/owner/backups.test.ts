import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HOUR } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { backupFaults } from "./backups.server.ts";

const database = useDatabase();
const db = () => database.db();

/** Adds rows to the audit log, each dated this many hours ago. */
async function logged(rows: [action: string, hoursAgo: number][]): Promise<void> {
  for (const [action, hoursAgo] of rows)
    await db()
      .insertInto("auditLog")
      .values({
        at: new Date(Date.now() - hoursAgo * HOUR),
        actor: "bola",
        door: "command",
        action,
        subjectKind: "shop",
        subjectId: "all",
      })
      .execute();
}

beforeEach(() => sql`truncate audit_log`.execute(db()));
afterEach(() => {
  env.BACKUPS = "here";
});

test.each<[string, [string, number][], RegExp | undefined]>([
  ["nothing was ever changed", [], undefined],
  ["the last backup is of last night", [["backup", 35]], undefined],
  ["the last backup is older than a day and a half", [["backup", 37]], /^the last one is of \d{4}-/],
  ["none was made in the shop's first day and a half", [["product import", 35]], undefined],
  ["none was ever made", [["product import", 37]], /^there is none$/],
  [
    "an old one came back with the backup that was restored just now",
    [
      ["backup", 60],
      ["restore", 1],
    ],
    undefined,
  ],
  [
    "only pictures came back",
    [
      ["backup", 60],
      ["restore pictures", 1],
    ],
    /^the last one is of/,
  ],
])("44 the fault about backups if %s", async (_, rows, expected) => {
  await logged(rows);
  const faults = await backupFaults(db());
  expect(faults.map(({ what }) => what)).toEqual(expected ? [expect.stringMatching(expected)] : []);
});

test("44 with BACKUPS=elsewhere there is no fault about their age", async () => {
  await logged([["backup", 60]]);
  env.BACKUPS = "elsewhere";
  expect(await backupFaults(db())).toEqual([]);
});
