import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { changedSinceUpdate, readSchemaState, textsOfOtherBuild } from "#app/infra/database/schema/state.server.ts";
import type { Fault } from "./fault.ts";

const RULE = "I30";

/** The faults of the database's schema: tables changed since the last update, or an update by an older build. */
export async function schemaFaults(on: Db): Promise<Fault[]> {
  const changed = await retryingTransaction(on, changedSinceUpdate);
  const other = textsOfOtherBuild(await readSchemaState(on));
  return [
    ...changed.map((where) => ({
      rule: RULE,
      where,
      what: "it's missing in the database, or differs from the one in the last update",
      todo: "Somebody has changed the database by hand. Change it back to what the files in db/migrations say.",
    })),
    ...other.map((where) => ({
      rule: RULE,
      where,
      what: "the database was made with another text of this migration than this build has",
      todo: "Start the build that made the database, or one of a release.",
    })),
  ];
}
