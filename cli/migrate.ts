import { migrationsOf } from "#app/infra/database/schema/state.server.ts";
import { type Actions, action } from "./command.ts";

export const migrate: Actions = {
  migrate: action({
    says: "updates the database to this version before its instances start; safe to repeat",
    changes: false,
    migrates: true,
    async run({ db }) {
      const migrations = await migrationsOf(db);
      return { code: 0, data: { migrations }, text: `The database has ${migrations.join(", ")}.` };
    },
  }),
};
