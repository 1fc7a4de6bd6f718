import type { ProviderRefund } from "#app/payment-provider/contract.ts";

/** A refund as the shop has it. */
export type KnownRefund = { id: string; providerId: string | null; failedBefore: string[] };

export type RefundMatch<Row extends KnownRefund> = {
  /** What the provider reports for each refund of the shop: what has not failed, else what has failed since it was last asked for. */
  matched: { row: Row; reported: ProviderRefund }[];
  /** What the provider is giving back, or has, and nobody here knows of. */
  foreign: ProviderRefund[];
};

/** By its id, or by the note that the shop wrote beside it: a request whose answer was lost has left no id here. */
export function matchRefunds<Row extends KnownRefund>(rows: Row[], listed: ProviderRefund[]): RefundMatch<Row> {
  const matched = rows.flatMap((row) => {
    const own = listed.filter((one) => isOf(one, row));
    const reported =
      // Of several that came through, as when a failed one does so late, the one that the shop asked for last is meant.
      own.find(({ id, status }) => status === "processed" && id === row.providerId) ??
      own.find(({ status }) => status === "processed") ??
      own.find(isAlive) ??
      own.find(({ id }) => !row.failedBefore.includes(id));
    return reported ? [{ row, reported }] : [];
  });
  const taken = new Set(matched.map(({ reported }) => reported.id));
  return { matched, foreign: listed.filter((one) => isAlive(one) && !taken.has(one.id)) };
}

/** What the provider's dashboard shows beside a refund, and its list repeats. */
export function refundNote(id: string, reason: string): string {
  return `Refund ${id}: ${reason}`;
}

/** Whether it was asked for as this refund of the shop. */
export function isOf({ id, note = "" }: ProviderRefund, row: KnownRefund): boolean {
  return row.providerId === id || row.failedBefore.includes(id) || note.includes(row.id);
}

export function isAlive({ status }: ProviderRefund): boolean {
  return status !== "failed";
}
