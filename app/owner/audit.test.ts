import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { type AuditFilter, auditPage } from "./audit.server.ts";

const database = useDatabase();
const db = () => database.db();

beforeAll(() =>
  sql`insert into audit_log (at, actor, door, action, subject_kind, subject_id)
    select '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 hour', case when n % 2 = 0 then 'ada@example.com' else 'bola' end,
      case when n % 2 = 0 then 'office' else 'command' end, 'stock set', case when n % 3 = 0 then 'order' else 'product' end, 'jersey-' || n
    from generate_series(1, 12) n`.execute(database.db()),
);

const numbers = (changes: { subjectId: string }[]) => changes.map(({ subjectId }) => Number(subjectId.split("-")[1]));

test("paging goes from the newest change to the oldest and back, with each row once", async () => {
  const first = await auditPage(db(), {}, {}, 5);
  const second = await auditPage(db(), {}, { before: first.older }, 5);
  const third = await auditPage(db(), {}, { before: second.older }, 5);
  expect([first, second, third].map(({ rows }) => numbers(rows))).toEqual([
    [12, 11, 10, 9, 8],
    [7, 6, 5, 4, 3],
    [2, 1],
  ]);
  expect([first.newer, third.older]).toEqual([undefined, undefined]);
  const back = await auditPage(db(), {}, { after: third.newer }, 5);
  expect(numbers(back.rows)).toEqual([7, 6, 5, 4, 3]);
  const top = await auditPage(db(), {}, { after: back.newer }, 5);
  expect([numbers(top.rows), top.newer]).toEqual([[12, 11, 10, 9, 8], undefined]);
});

test.each<[AuditFilter, number[]]>([
  [{ kind: "order" }, [12, 9, 6, 3]],
  [{ door: "office", kind: "order" }, [12, 6]],
  [{ words: "ada" }, [12, 10, 8, 6, 4, 2]],
  [{ words: "jersey-1" }, [12, 11, 10, 1]],
  [{ words: "%" }, []],
  [{ since: new Date("2026-01-01T02:00:00Z"), until: new Date("2026-01-01T04:00:00Z") }, [3, 2]],
])("%j finds %j", async (filter, found) => {
  expect(numbers((await auditPage(db(), filter)).rows)).toEqual(found);
});
