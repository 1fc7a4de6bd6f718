import type { Db } from "#app/infra/database/db.server.ts";
import { formatPaid } from "#app/money/format.ts";
import type { RefundReason } from "../issue-kind.ts";
import { REASONS } from "../mail-data.ts";
import { OWN_CANCEL } from "../refund-causes.ts";
import { balanceOf, refundsOf } from "../refund-rows.server.ts";
import { backTexts, type OrderView } from "../view.ts";

/** What the order's page says about a payment that is being or has been refunded, in the currency that was paid. */
export async function moneyBack(
  on: Db,
  reference: string,
  { state, saleId }: Pick<OrderView, "state" | "saleId">,
): Promise<{ title: string; text: string }> {
  const [{ refunded, refunding, left }, refunds, payment] = await Promise.all([
    balanceOf(on, reference),
    refundsOf(on, reference),
    on
      .selectFrom("payments")
      .select(["state", "paidCurrency"])
      .where("reference", "=", reference)
      .executeTakeFirstOrThrow(),
  ]);
  const isRefused = payment.state === "refused";
  const isBack = isRefused ? refunding + left <= 0 : state === "refunded";
  // If the order has a sale although this payment was refused, another payment made the sale.
  const reason = isRefused && ((saleId ? "second-charge" : refunds[0]?.reason) as RefundReason | undefined);
  const format = (sum: number) => formatPaid(sum, payment.paidCurrency ?? "NGN");
  const sums = backTexts(refunded, refunding, format);
  if (!isBack && left > 0) sums.push(`${format(left)} has still to go back to you`);
  const sentences = [
    isRefused && reason !== "second-charge" && "We couldn’t keep this order.",
    refunds.some(({ cause }) => cause === OWN_CANCEL.cause) && "You cancelled this order.",
    reason && REASONS[reason],
    `${sums.join(", ")}.`,
    refunding > 0 && "A mail tells you when it has arrived.",
    isRefused && state === "sold" && "The order itself stands.",
  ];
  return { title: isBack ? "Your money is back" : "Your money goes back", text: sentences.filter(Boolean).join(" ") };
}
