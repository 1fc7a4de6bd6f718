import type { Db } from "#app/infra/database/db.server.ts";
import { readCall } from "../../cli/call.ts";
import { failure, type Result } from "../../cli/command.ts";

export const OWNER = { name: "bola", door: "command" } as const;

/** The result of a command line. `answer` is given to its questions, as by a person at a terminal. */
export async function command(db: Db, line: string[], answer?: boolean): Promise<Result> {
  try {
    return await readCall(line).run(db, OWNER, answer === undefined ? undefined : async () => answer);
  } catch (error) {
    return failure(error);
  }
}
