import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { printable } from "#app/infra/terminal-text.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { referenceOf } from "#app/owner/known-order.server.ts";
import type { Done } from "#app/owner/orders.server.ts";
import { badInput, type Result } from "../command.ts";

/** The reference of the order that is meant, by its number or by a reference as orders have them; throws a BadInput otherwise. */
export async function orderReference(db: Db, word: string): Promise<string> {
  const number = readOrderNumber(word);
  const reference = number ? await referenceOf(db, number) : word;
  if (reference === undefined) throw new BadInput(`There is no order ${number}`);
  if (!/^[A-Za-z0-9.=-]{16,64}$/.test(reference))
    throw new BadInput(`'${word}' is neither the number of an order, such as IR-7K3M-2Q, nor a reference`);
  return reference;
}

/** A carrier or its number, as shoppers will read it; throws a BadInput otherwise. */
export function parcelLabel(text: string | undefined): string | undefined {
  if (text === undefined) return;
  const label = text.trim();
  if (!label || label.length > 100 || printable(label) !== label || label.includes("\n"))
    throw new BadInput(`'${text}' is no carrier or number: it has 1 to 100 letters`);
  return label;
}

/** What a command answers when a change of an order is done or refused. */
export function resultOf(reference: string, done: Done): Result {
  if (!done.ok) return badInput(done.problem);
  return { code: 0, data: { reference, done: done.what }, text: `${reference}: ${done.what}` };
}
