import { cashRounding } from "#app/by-hand/book.server.ts";
import { MEANS, type Means, readBankReference } from "#app/by-hand/means.ts";
import { sumToTake } from "#app/by-hand/rounding.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { giveByHand, toGiveBack } from "#app/payments/by-hand/give.server.ts";
import { takeByHand } from "#app/payments/by-hand/take.server.ts";
import { badInput, type Context, type Result } from "../command.ts";
import { readNaira } from "./refund.ts";
import { resultOf } from "./words.ts";

type PaidOptions = { by?: string; reference?: string; amount?: string };

/** Records that an order has been paid by hand. The amount defaults to the order's sum, in cash rounded down. */
export async function paid({ db, by }: Context, reference: string, options: PaidOptions): Promise<Result> {
  const means = readMeans(options.by);
  const taken = {
    means,
    kobo: options.amount === undefined ? await sumOf(db, reference, means) : readNaira(options.amount),
    bankReference: readReference(options.reference),
    by: by.name,
  };
  const change = changeOrder(db, by, "orders paid", reference);
  return resultOf(reference, await takeByHand(db, reference, taken, change));
}

/** Shows what is to be given back by hand, asks for confirmation, and marks it as given. */
export async function given(
  { db, by, confirm }: Context,
  reference: string,
  typed: string | undefined,
): Promise<Result> {
  const bankReference = readReference(typed);
  const due = await toGiveBack(db, reference);
  if (!due) return badInput("Nothing is to be given back by hand");
  await confirm(`${reference}: ${formatKobo(kobo(due.kobo))} has been given back. It was taken by ${due.means}.`);
  const change = changeOrder(db, by, "orders given", reference);
  const back = { agreedKobo: due.kobo, by: by.name, bankReference };
  return resultOf(reference, await giveByHand(db, reference, back, change));
}

export function readMeans(text: string | undefined): Means {
  const means = MEANS.find((one) => one === text?.trim().toLowerCase());
  if (!means) throw new BadInput(`Say how it was paid: --by ${MEANS.join(", --by ")}`);
  return means;
}

export function readReference(text: string | undefined): string | undefined {
  if (text === undefined) return;
  const read = readBankReference(text);
  if (!read) throw new BadInput(`'${text}' isn't a bank's reference: at least 4 letters or digits`);
  return read;
}

/** What is to be taken for the order. Throws a BadInput if no payment has this reference. */
async function sumOf(db: Db, reference: string, means: Means): Promise<number> {
  const order = await db
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select("orders.kobo")
    .where("payments.reference", "=", reference)
    .executeTakeFirst();
  if (!order) throw new BadInput(`There’s no order with the reference '${reference}'`);
  return sumToTake(Number(order.kobo), means, await cashRounding(db));
}
