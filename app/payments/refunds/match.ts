import type { ProviderRefund } from "#app/payment-provider/contract.ts";

/** The columns of a refund's row by which the provider's refunds are matched to it. */
export type KnownRefund = { id: string; providerId: string | null; failedBefore: string[] };

export type RefundMatch<Row extends KnownRefund> = {
  /**
   * Each row with the provider's refund that belongs to it: a refund that has not failed, otherwise one that has failed
   * since the shop's last request.
   */
  matched: { row: Row; reported: ProviderRefund }[];
  /** Refunds that the provider reports and that belong to no row here. */
  foreign: ProviderRefund[];
};

/**
 * Matches the provider's refunds to rows, by the provider's id or by the row's id in the note: a row whose request got
 * no response has no provider id.
 */
export function matchRefunds<Row extends KnownRefund>(rows: Row[], listed: ProviderRefund[]): RefundMatch<Row> {
  const matched = rows.flatMap((row) => {
    const own = listed.filter((one) => isOf(one, row));
    const reported =
      // If several went through, as when a failed one succeeds late, the most recently requested one counts.
      own.find(({ id, status }) => status === "processed" && id === row.providerId) ??
      own.find(({ status }) => status === "processed") ??
      own.find(isAlive) ??
      own.find(({ id }) => !row.failedBefore.includes(id));
    return reported ? [{ row, reported }] : [];
  });
  const taken = new Set(matched.map(({ reported }) => reported.id));
  return { matched, foreign: listed.filter((one) => isAlive(one) && !taken.has(one.id)) };
}

/** The note of a refund. The provider shows it in the dashboard and returns it in the list of refunds. */
export function refundNote(id: string, reason: string): string {
  return `Refund ${id}: ${reason}`;
}

/** Whether the provider's refund was requested for this row. */
export function isOf({ id, note = "" }: ProviderRefund, row: KnownRefund): boolean {
  return row.providerId === id || row.failedBefore.includes(id) || note.includes(row.id);
}

export function isAlive({ status }: ProviderRefund): boolean {
  return status !== "failed";
}
