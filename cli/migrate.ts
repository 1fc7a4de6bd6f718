import { migrationsOf } from "#app/infra/database/migrate.server.ts";
import { type Actions, action } from "./command.ts";

export const migrate: Actions = {
  migrate: action({
    says: "brings the database to this version, before instances of it start; may be said again",
    changes: false,
    migrates: true,
    async run({ db }) {
      const migrations = await migrationsOf(db);
      return { code: 0, data: { migrations }, text: `The database has ${migrations.join(", ")}.` };
    },
  }),
};
