import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { PAYMENT_ISSUE_KINDS, type PaymentIssueKind } from "./issue-kind.ts";
import { closeIssues, recordIssue, removeIssue, resolveFailure, resolveRefundedIssues } from "./issues.server.ts";

const { db, oneBuyer } = useCheckout();

const issuesOf = (reference: string) =>
  db()
    .selectFrom("paymentIssues")
    .select(["kind", "details", "resolvedAt"])
    .where("reference", "=", reference)
    .orderBy("kind")
    .execute();
/** The kinds that a person must still look at. */
const openOf = async (reference: string) =>
  (await issuesOf(reference)).filter(({ resolvedAt }) => !resolvedAt).map(({ kind }) => kind);
const inOne = (work: (trx: Transaction) => Promise<void>) => db().transaction().execute(work);

/** Payments with these issues; the second one's stay as they are, whatever happens to the first one's. */
async function looked(...kinds: PaymentIssueKind[]): Promise<[string, string]> {
  const references: [string, string] = [randomUUID(), randomUUID()];
  for (const reference of references) for (const kind of kinds) await recordIssue(db(), reference, kind);
  return references;
}
const LONG_AGO = new Date("2026-01-05T09:00:00Z");
const resolveLongAgo = (reference: string, kind: PaymentIssueKind) =>
  db()
    .updateTable("paymentIssues")
    .set({ resolvedAt: LONG_AGO })
    .where("reference", "=", reference)
    .where("kind", "=", kind)
    .execute();

test("an issue is written down once for a payment, with what was said of it first", async () => {
  const [reference] = await looked();
  await recordIssue(db(), reference, "wrong-amount", { expected: 1 });
  await recordIssue(db(), reference, "wrong-amount", { expected: 2 });
  await recordIssue(db(), reference, "dispute");
  expect(await issuesOf(reference)).toEqual([
    { kind: "dispute", details: {}, resolvedAt: null },
    { kind: "wrong-amount", details: { expected: 1 }, resolvedAt: null },
  ]);
});

test("a person closes all of a payment's, once, and it is seen who did", async () => {
  const [reference, other] = await looked("dispute", "reversed", "refund-failed");
  await resolveLongAgo(reference, "reversed");
  expect([await closeIssues(db(), reference), await closeIssues(db(), reference)]).toEqual([2, 0]);
  expect(await issuesOf(reference)).toEqual([
    { kind: "dispute", details: { closedByOwner: true }, resolvedAt: expect.any(Date) },
    { kind: "refund-failed", details: { closedByOwner: true }, resolvedAt: expect.any(Date) },
    { kind: "reversed", details: {}, resolvedAt: LONG_AGO },
  ]);
  expect(await openOf(other)).toHaveLength(3);
});

test("money that has gone back ends why it had to, and not what a person has to see", async () => {
  const [reference, other] = await looked(...PAYMENT_ISSUE_KINDS);
  await resolveLongAgo(reference, "too-late");
  await inOne((trx) => resolveRefundedIssues(trx, reference));
  expect(await openOf(reference)).toEqual(["dispute", "reversed", "unknown-reference"]);
  expect((await issuesOf(reference)).find(({ kind }) => kind === "too-late")?.resolvedAt).toEqual(LONG_AGO);
  expect(await openOf(other)).toHaveLength(PAYMENT_ISSUE_KINDS.length);
});

describe("a refund that had failed and has gone back", () => {
  test("is none to look at any more, and nothing else is touched", async () => {
    const [reference, other] = await looked("refund-failed", "wrong-amount");
    await inOne((trx) => resolveFailure(trx, reference));
    expect(await openOf(reference)).toEqual(["wrong-amount"]);
    expect(await openOf(other)).toEqual(["refund-failed", "wrong-amount"]);
    await resolveLongAgo(reference, "refund-failed");
    await inOne((trx) => resolveFailure(trx, reference));
    expect((await issuesOf(reference))[0]?.resolvedAt).toEqual(LONG_AGO);
  });

  test("is still one while another one of the same payment fails", async () => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    await recordIssue(db(), reference, "refund-failed");
    const failed = { reference, kobo: 1, reason: "returned", state: "failed" } as const;
    const { id } = await db().insertInto("refunds").values(failed).returning("id").executeTakeFirstOrThrow();
    await inOne((trx) => resolveFailure(trx, reference));
    expect(await openOf(reference)).toEqual(["refund-failed"]);
    const other = await oneBuyer();
    await recordIssue(db(), other.payment.reference, "refund-failed");
    await inOne((trx) => resolveFailure(trx, other.payment.reference));
    expect(await openOf(other.payment.reference)).toEqual([]);
    await db().deleteFrom("refunds").where("id", "=", id).execute();
  });
});

test("one that is being mended is forgotten, and recorded again should it happen again", async () => {
  const [reference, other] = await looked("refund-failed", "wrong-amount");
  await removeIssue(db(), reference, "refund-failed");
  expect(await openOf(reference)).toEqual(["wrong-amount"]);
  expect(await openOf(other)).toHaveLength(2);
  await recordIssue(db(), reference, "refund-failed", { status: "failed" });
  expect((await issuesOf(reference))[0]).toEqual({
    kind: "refund-failed",
    details: { status: "failed" },
    resolvedAt: null,
  });
});
