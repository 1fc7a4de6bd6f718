import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { referenceOf } from "#app/owner/orders/lookup.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { readParcelLabel } from "#app/owner/orders/parcels/label.ts";
import { badInput, type Result } from "../command.ts";

/**
 * The reference of an order, found by its number or given as a reference. Throws a BadInput for an unknown number or a
 * malformed reference.
 */
export async function orderReference(db: Db, word: string): Promise<string> {
  const number = readOrderNumber(word);
  const reference = number ? await referenceOf(db, number) : word;
  if (reference === undefined) throw new BadInput(`There’s no order ${number}`);
  if (!/^[A-Za-z0-9.=-]{16,64}$/.test(reference))
    throw new BadInput(`'${word}' isn't an order number, like IR-7K3M-2Q, or a payment reference`);
  return reference;
}

/** A carrier or a parcel's number, as shoppers will read it. Throws a BadInput if the text is not usable. */
export function parcelLabel(text: string | undefined): string | undefined {
  if (text === undefined) return;
  const read = readParcelLabel(text);
  if ("label" in read && read.label) return read.label;
  throw new BadInput(
    `'${text}' isn't a carrier or tracking number: ${"problem" in read ? read.problem : "it is empty"}`,
  );
}

/** The result of a change of an order that was done or refused. */
export function resultOf(reference: string, done: Done): Result {
  if (!done.ok) return badInput(done.problem);
  return { code: 0, data: { reference, done: done.what }, text: `${reference}: ${done.what}` };
}
