import { databaseElsewhere, prepareDatabase } from "#app/infra/database/prepare.server.ts";
import { env } from "#app/infra/env.server.ts";

// Prepares the database as the shop's start does, and prints the address with which the shop works.

const { url } = await prepareDatabase(databaseElsewhere(env.DATABASE_URL ?? ""));
process.stdout.write(url);
process.exit();
