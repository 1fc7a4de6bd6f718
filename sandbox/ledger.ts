import { randomBytes, randomInt } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Clock } from "./clock.ts";
import type { Faults } from "./faults.ts";

export type Status = "abandoned" | "ongoing" | "pending" | "success" | "failed" | "reversal_pending" | "reversed";

export type Transaction = {
  id: number;
  reference: string;
  accessCode: string;
  email: string;
  amount: number;
  currency: string;
  metadata: unknown;
  callbackUrl: string;
  channels: string[];
  status: Status;
  gatewayResponse: string;
  channel: string | null;
  paidAt: string | null;
  createdAt: string;
  attempts: { outcome: string; at: string }[];
  faults: Faults;
};

export type RefundStatus = "pending" | "processing" | "processed" | "failed" | "needs-attention";
export type Refund = {
  id: number;
  transaction: number;
  reference: string;
  amount: number;
  status: RefundStatus;
  createdAt: string;
};

/** Everything that happened to money here: the other side's books, against which the shop's are checked. */
export type Ledger = {
  transactions: Map<string, Transaction>;
  refunds: Refund[];
  byAccessCode(code: string): Transaction | undefined;
  byId(id: number): Transaction | undefined;
  add(
    wanted: Pick<Transaction, "email" | "amount" | "currency" | "metadata" | "callbackUrl" | "channels" | "faults"> & {
      reference?: string;
    },
  ): Transaction;
  refundedOf(transaction: Transaction): number;
  addRefund(transaction: Transaction, amount: number): Refund;
  clear(): void;
  /** Says that something changed: the file, if there is one, is written soon. */
  touch(): void;
  flush(): void;
};

const FIRST_ID = 4_000_000_000;
const WRITE_AFTER = 200;

export function createLedger(clock: Clock, file?: string): Ledger {
  const transactions = new Map<string, Transaction>();
  const refunds: Refund[] = [];
  const codes = new Map<string, Transaction>();
  const ids = new Map<number, Transaction>();
  let timer: NodeJS.Timeout | undefined;

  function keep(transaction: Transaction): void {
    transactions.set(transaction.reference, transaction);
    codes.set(transaction.accessCode, transaction);
    ids.set(transaction.id, transaction);
  }
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!file) return;
    writeFileSync(`${file}.new`, JSON.stringify({ transactions: [...transactions.values()], refunds }));
    renameSync(`${file}.new`, file);
  }
  function touch(): void {
    if (file && !timer) timer = setTimeout(flush, WRITE_AFTER).unref();
  }
  for (const transaction of load(file).transactions) keep(transaction);
  refunds.push(...load(file).refunds);

  return {
    transactions,
    refunds,
    byAccessCode: (code) => codes.get(code),
    byId: (id) => ids.get(id),
    add(wanted) {
      const transaction: Transaction = {
        ...wanted,
        id: FIRST_ID + transactions.size,
        reference: wanted.reference ?? letters(10),
        accessCode: letters(15),
        status: "abandoned",
        gatewayResponse: "The transaction was not completed",
        channel: null,
        paidAt: null,
        createdAt: clock.now().toISOString(),
        attempts: [],
      };
      keep(transaction);
      touch();
      return transaction;
    },
    refundedOf: ({ id }) =>
      refunds
        .filter((refund) => refund.transaction === id && refund.status !== "failed")
        .reduce((sum, { amount }) => sum + amount, 0),
    addRefund(transaction, amount) {
      const refund: Refund = {
        id: randomInt(1_000_000, 99_999_999),
        transaction: transaction.id,
        reference: transaction.reference,
        amount,
        status: "pending",
        createdAt: clock.now().toISOString(),
      };
      refunds.push(refund);
      touch();
      return refund;
    },
    clear() {
      transactions.clear();
      codes.clear();
      ids.clear();
      refunds.length = 0;
      touch();
    },
    touch,
    flush,
  };
}

function load(file?: string): { transactions: Transaction[]; refunds: Refund[] } {
  try {
    return file ? JSON.parse(readFileSync(file, "utf8")) : { transactions: [], refunds: [] };
  } catch {
    return { transactions: [], refunds: [] }; // the first start
  }
}

function letters(length: number): string {
  return [...randomBytes(length)].map((byte) => "abcdefghijklmnopqrstuvwxyz0123456789"[byte % 36]).join("");
}
