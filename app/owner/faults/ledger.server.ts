import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { IS_BY_HAND } from "#app/payments/provider.server.ts";
import type { Fault } from "./fault.ts";

/** A payment as the provider's records have it, with its charge and its refunds. */
export type LedgerEntry = { reference: string; status: string; kobo: number; currency: string; refundedKobo: number };
type Wrong = Pick<Fault, "rule" | "what">;

/**
 * Differences between the shop's data and the provider's. Money that is taken by hand is in no ledger of a provider.
 */
export async function ledgerFaults(on: Db | Transaction, ledger: LedgerEntry[]): Promise<Fault[]> {
  const sold = await on
    .selectFrom("sales")
    .innerJoin("payments", "payments.reference", "sales.reference")
    .select(["sales.reference", "sales.kobo"])
    .where(sql<boolean>`not ${IS_BY_HAND}`)
    .execute();
  const sales = new Map(sold.map((sale) => [sale.reference, sale]));
  const payments = await on
    .selectFrom("payments")
    .select(["reference", "refundingKobo", "refundedKobo"])
    .where(sql<boolean>`exists (select from refunds where refunds.reference = payments.reference)`)
    .execute();
  const refunds = new Map(payments.map((one) => [one.reference, one]));
  const charged = ledger.filter(({ status }) => status === "success" || status.startsWith("revers"));
  const paid = new Set(charged.map(({ reference }) => reference));
  const unpaid = [...sales.keys()].filter((reference) => !paid.has(reference));
  const fault = (where: string, { rule, what }: Wrong): Fault => ({
    rule,
    where,
    what,
    todo: "Compare with the payment provider's dashboard.",
  });
  return [
    ...charged.flatMap((entry) => {
      const { reference } = entry;
      const wrong = wrongWith(entry, sales.get(reference), refunds.get(reference));
      return wrong ? [fault(reference, wrong)] : [];
    }),
    ...unpaid.map((where) => fault(where, { rule: "I4", what: "it's sold, but the provider has no charge for it" })),
  ];
}

function wrongWith(
  { status, kobo, currency, refundedKobo }: LedgerEntry,
  sale: { kobo: string } | undefined,
  refund: { refundingKobo: string; refundedKobo: string } | undefined,
): Wrong | undefined {
  const [underWay, back] = [Number(refund?.refundingKobo ?? 0), Number(refund?.refundedKobo ?? 0)];
  if (status === "success" && !sale && !refund && refundedKobo < kobo)
    return { rule: "I3", what: "it was charged, but neither sold nor refunded" };
  if (refundedKobo > kobo) return { rule: "I3", what: `${refundedKobo} of ${kobo} kobo have gone back` };
  if (!sale) return;
  if (refundedKobo > underWay + back)
    return { rule: "I19", what: `${refundedKobo} kobo go back, and the shop knows of ${underWay + back}` };
  if (status !== "reversed" && back > refundedKobo)
    return { rule: "I19", what: `${refundedKobo} kobo have gone back, and the shop says ${back}` };
  if (kobo < Number(sale.kobo) || currency !== "NGN")
    return { rule: "I4", what: `it is sold for ${sale.kobo} kobo, and ${kobo} ${currency} were charged` };
  return;
}
