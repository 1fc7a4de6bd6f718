import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { log } from "#app/infra/log.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { noteDatabaseFailure } from "./db.server.ts";

const database = useDatabase({ max: 1 });

test("13 a pool whose connections are all taken is busy: the log does not say that the database is away", async () => {
  const warned = vi.spyOn(log, "warn");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = database
    .db()
    .transaction()
    .execute(() => released);
  const asked = sql`select`.execute(database.db());
  await expect(asked).rejects.toThrow("timeout exceeded when trying to connect");
  await asked.catch(noteDatabaseFailure);
  release();
  await holding;
  const said = warned.mock.calls.map(([, text]) => text);
  expect(said).toContain("the database is there, but all connections to it are busy");
  expect(said).not.toContain("the database is away");
});
