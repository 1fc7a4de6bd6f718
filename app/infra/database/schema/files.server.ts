import { createHash } from "node:crypto";

const files = import.meta.glob<string>("../../../../db/migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The text of each migration of this build, by its name. */
export const MIGRATIONS: Record<string, string> = Object.fromEntries(
  Object.entries(files).map(([file, text]) => [file.slice(file.lastIndexOf("/") + 1, -".sql".length), text]),
);

export type Hashes = Record<string, string>;

export const HASHES: Hashes = Object.fromEntries(
  Object.entries(MIGRATIONS).map(([name, text]) => [name, createHash("sha256").update(text).digest("hex")]),
);

/** The first migration of every version from 22 November 2026 on; its text has been fixed since version 0.1.0. */
export const FIRST = "0001-schema";
