import { env } from "#app/infra/env.server.ts";
import { databaseElsewhere, prepareDatabase } from "#app/infra/prepare-database.server.ts";

// Prepares the database as the shop's start does, and answers the address with which the shop works.

const { url } = await prepareDatabase(databaseElsewhere(env.DATABASE_URL ?? ""));
process.stdout.write(url);
process.exit();
