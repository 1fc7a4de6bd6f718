import { BadInput } from "#app/infra/bad-input.ts";
import { printable } from "#app/infra/terminal-text.ts";
import type { Done } from "#app/owner/orders.server.ts";
import { badInput, type Result } from "../command.ts";

/** A reference as an order may have one; throws a BadInput otherwise. */
export function orderReference(reference: string): string {
  if (!/^[A-Za-z0-9.=-]{16,64}$/.test(reference)) throw new BadInput(`'${reference}' is no reference of an order`);
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
