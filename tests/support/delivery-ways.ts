import { randomUUID } from "node:crypto";
import type { Db } from "#app/infra/database/db.server.ts";
import { saveWay, switchWay } from "#app/owner/delivery/ways.server.ts";
import type { WayWish } from "#app/owner/delivery/ways.ts";

const BY = { name: "test", door: "command" } as const;

/** Express to Lagos and Ogun for $6.50, in 1 to 2 business days, with these other values. */
export function way(other: Partial<WayWish> = {}): WayWish {
  const places = ["state Lagos", "state Ogun"];
  return { name: "Express", places, rateCents: 650, fromDays: 1, toDays: 2, orderBy: "14:00", ...other };
}

/** Adds a way, by default with a name of its own and switched off. Returns its id. */
export async function aWay(on: Db, other: Partial<WayWish> = {}, { active = false } = {}): Promise<string> {
  const done = await saveWay(on, BY, way({ name: randomUUID(), ...other }));
  if (!done.ok) throw new Error("problems" in done ? Object.values(done.problems).join() : "changed");
  if (active) await switchWay(on, BY, done.id, true);
  return done.id;
}

/** What the office's form of a way sends. */
export function typedWay(other: Partial<Record<string, string>> = {}): Record<string, string> {
  const typed = { name: "Express", "places[]": "state Lagos", dollars: "6.50", fromDays: "1", toDays: "2" };
  return { ...typed, orderBy: "14:00", ...other } as Record<string, string>;
}
