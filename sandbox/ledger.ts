import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Clock } from "./clock.ts";
import type { Faults } from "./faults.ts";

/** The file names shoppers: only its owner may read it. */
const OWN = { mode: 0o600 };

export type Status = "abandoned" | "ongoing" | "success" | "failed" | "reversal_pending" | "reversed";

export type Transaction = {
  id: number;
  reference: string;
  accessCode: string;
  email: string;
  /** Absent in files of older versions. */
  customer?: { first_name: string | null; last_name: string | null; phone: string | null };
  /** In the currency's minor unit. */
  amount: number;
  currency: string;
  metadata: unknown;
  callbackUrl: string;
  channels: string[];
  /** Who else gets a share: the code or rule that was given. */
  split: unknown;
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
  /** The requester's note. */
  merchantNote?: string;
  createdAt: string;
};

type Wanted = Pick<
  Transaction,
  "email" | "customer" | "amount" | "currency" | "metadata" | "callbackUrl" | "channels" | "split" | "faults"
> & { reference?: string };
/** The next ids: they survive a reset, so that no id is used twice. */
type Next = { transaction: number; refund: number };
type Entry = { transaction: Transaction } | { refund: Refund } | { next: Next };

/** Everything that happened to money here: the provider's books, against which the shop's are checked. */
export type Ledger = {
  /** By reference. */
  transactions: Map<string, Transaction>;
  refunds: Refund[];
  byAccessCode(code: string): Transaction | undefined;
  byId(id: number): Transaction | undefined;
  refundById(id: number): Refund | undefined;
  refundsOf(transaction: Transaction): Refund[];
  /** What was given back or is on its way back. */
  refundedOf(transaction: Transaction): number;
  add(wanted: Wanted): Transaction;
  addRefund(transaction: Transaction, amount: number, merchantNote?: string): Refund;
  /** To be called after each change: what is saved outlives this process. */
  save(entry: Entry): void;
  clear(): void;
};

const FIRST: Next = { transaction: 4_000_000_000, refund: 8_000_000 };

/**
 * With a file, every change is a line of JSON at its end; a start reads it and rewrites it, one line per entry. Throws,
 * and leaves the file unchanged, when it cannot be read.
 */
export function createLedger(clock: Clock, file?: string): Ledger {
  const transactions = new Map<string, Transaction>();
  const codes = new Map<string, Transaction>();
  const ids = new Map<number, Transaction>();
  const refunds: Refund[] = [];
  const refundIds = new Map<number, Refund>();
  const refundsByTransaction = new Map<number, Refund[]>();
  const next = { ...FIRST };

  function keep(transaction: Transaction): void {
    next.transaction = Math.max(next.transaction, transaction.id + 1);
    transactions.set(transaction.reference, transaction);
    codes.set(transaction.accessCode, transaction);
    ids.set(transaction.id, transaction);
  }
  function keepRefund(refund: Refund): void {
    next.refund = Math.max(next.refund, refund.id + 1);
    refunds.push(refund);
    refundIds.set(refund.id, refund);
    const { transaction } = refund;
    refundsByTransaction.set(transaction, [...(refundsByTransaction.get(transaction) ?? []), refund]);
  }
  function save(entry: Entry): void {
    if (file) appendFileSync(file, line(entry), OWN);
  }
  const refundsOf = ({ id }: Transaction) => refundsByTransaction.get(id) ?? [];

  if (file) {
    const entries = read(file);
    for (const entry of entries) {
      if ("next" in entry) Object.assign(next, entry.next);
      else if ("transaction" in entry) keep(entry.transaction);
      else keepRefund(entry.refund);
    }
    writeFileSync(`${file}.new`, entries.map(line).join(""), OWN);
    renameSync(`${file}.new`, file);
  }

  return {
    transactions,
    refunds,
    byAccessCode: (code) => codes.get(code),
    byId: (id) => ids.get(id),
    refundById: (id) => refundIds.get(id),
    refundsOf,
    refundedOf: (transaction) => sumOf(refundsOf(transaction).filter(({ status }) => status !== "failed")),
    add(wanted) {
      const transaction: Transaction = {
        ...wanted,
        id: next.transaction,
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
      save({ transaction });
      return transaction;
    },
    addRefund({ id, reference }, amount, merchantNote = `Refund for transaction ${reference}`) {
      const refund: Refund = {
        id: next.refund,
        transaction: id,
        reference,
        amount,
        status: "pending",
        merchantNote,
        createdAt: clock.now().toISOString(),
      };
      keepRefund(refund);
      save({ refund });
      return refund;
    },
    save,
    clear() {
      for (const map of [transactions, codes, ids, refundIds, refundsByTransaction]) map.clear();
      refunds.length = 0;
      if (file) writeFileSync(file, line({ next }), OWN);
    },
  };
}

export function sumOf(refunds: Refund[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

const line = (entry: Entry) => `${JSON.stringify(entry)}\n`;

/** The last state of each entry, in order of first appearance. */
function read(file: string): Entry[] {
  if (!existsSync(file)) return [];
  const last = new Map<string, Entry>();
  const lines = readFileSync(file, "utf8").split("\n");
  const tail = lines.pop() ?? "";
  for (const [index, text] of lines.entries()) {
    const entry = readLine(text);
    if (!entry)
      throw new Error(`The sandbox's books are damaged: ${file}, line ${index + 1}. Repair the file or move it away.`);
    last.set(nameOf(entry), entry);
  }
  if (!isTorn(tail))
    throw new Error(`The sandbox's books are damaged: ${file}, at the end. Repair the file or move it away.`);
  if (tail) process.stderr.write(`The last line of ${file} was cut off when the sandbox ended: it is left out.\n`);
  return [...last.values()];
}

const KINDS = ["transaction", "refund", "next"] as const;

function readLine(text: string): Entry | undefined {
  try {
    const entry = JSON.parse(text);
    return KINDS.some((kind) => Object.hasOwn(entry, kind)) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this is the beginning of a line, as a crash during writing leaves it. */
function isTorn(tail: string): boolean {
  return KINDS.map((kind) => `{"${kind}":{`).some((start) => start.startsWith(tail) || tail.startsWith(start));
}

function nameOf(entry: Entry): string {
  if ("next" in entry) return "next";
  return "transaction" in entry ? `transaction ${entry.transaction.id}` : `refund ${entry.refund.id}`;
}

function letters(length: number): string {
  return [...randomBytes(length)].map((byte) => "abcdefghijklmnopqrstuvwxyz0123456789"[byte % 36]).join("");
}
