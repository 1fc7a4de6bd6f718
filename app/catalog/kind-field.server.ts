import { z } from "zod";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { kindsIn } from "./product.ts";

/** The ids of all kinds, in display order. */
export const kindIds = (): string[] => knownKinds().map(({ id }) => id);

/** A field with the id of a kind. */
export const kindField = z
  .string()
  .refine((id) => kindIds().includes(id), { error: () => `kinds are ${kindIds().join(", ")}` });

/** A field with the ids of kinds, which are read in display order, each once. */
export const kindsField = z.array(kindField).transform((ids) => kindsIn(knownKinds(), ids).map(({ id }) => id));
