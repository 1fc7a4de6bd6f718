import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { PAYMENT_ISSUE_KINDS, type PaymentIssueKind } from "./issue-kind.ts";
import { closeIssues, recordIssue, resolveFailure, resolveRefundedIssues, resolveRetried } from "./issues.server.ts";

const { db, oneBuyer } = useCheckout();

const issuesOf = (reference: string) =>
  db()
    .selectFrom("paymentIssues")
    .select(["kind", "details", "resolvedAt"])
    .where("reference", "=", reference)
    .orderBy("kind")
    .execute();
/** The kinds of a payment's open issues. */
const openOf = async (reference: string) =>
  (await issuesOf(reference)).filter(({ resolvedAt }) => !resolvedAt).map(({ kind }) => kind);
const inOne = (work: (trx: Transaction) => Promise<void>) => db().transaction().execute(work);

/** Two payments with these issues. The test changes only those of the first. */
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

test("an issue is recorded once for a payment, with its first details", async () => {
  const [reference] = await looked();
  await recordIssue(db(), reference, "wrong-amount", { expected: 1 });
  await recordIssue(db(), reference, "wrong-amount", { expected: 2 });
  await recordIssue(db(), reference, "dispute");
  expect(await issuesOf(reference)).toEqual([
    { kind: "dispute", details: {}, resolvedAt: null },
    { kind: "wrong-amount", details: { expected: 1 }, resolvedAt: null },
  ]);
});

test("staff close all open issues of a payment, once, and the issues say so", async () => {
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

test("a full refund resolves the issues that caused it, and not those that staff must close", async () => {
  const [reference, other] = await looked(...PAYMENT_ISSUE_KINDS);
  await resolveLongAgo(reference, "too-late");
  await inOne((trx) => resolveRefundedIssues(trx, reference));
  expect(await openOf(reference)).toEqual(["dispute", "reversed", "unknown-reference"]);
  expect((await issuesOf(reference)).find(({ kind }) => kind === "too-late")?.resolvedAt).toEqual(LONG_AGO);
  expect(await openOf(other)).toHaveLength(PAYMENT_ISSUE_KINDS.length);
});

describe("the issue about a failed refund", () => {
  // No request led to these refunds, so the invariants do not hold for them.
  afterEach(async () => {
    await db().deleteFrom("paymentIssues").where("refundId", "is not", null).execute();
    await db().deleteFrom("refunds").execute();
  });

  /** A payment with two failed refunds. */
  async function twoFailed(
    first: Record<string, unknown> = {},
  ): Promise<{ reference: string; refunds: [string, string] }> {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    const add = async (details: Record<string, unknown>) => {
      const failed = { reference, kobo: 1, reason: "returned", state: "failed" } as const;
      const { id } = await db().insertInto("refunds").values(failed).returning("id").executeTakeFirstOrThrow();
      await recordIssue(db(), reference, "refund-failed", details, id);
      return id;
    };
    return { reference, refunds: [await add(first), await add({ status: "failed" })] };
  }
  const openRefunds = async (reference: string) => {
    const open = db().selectFrom("paymentIssues").select("refundId").where("reference", "=", reference);
    return (await open.where("resolvedAt", "is", null).execute()).map(({ refundId }) => refundId);
  };

  test("is resolved once the refund has succeeded, and no other issue is", async () => {
    const { reference, refunds } = await twoFailed();
    await recordIssue(db(), reference, "wrong-amount");
    await inOne((trx) => resolveFailure(trx, refunds[0], 1));
    expect(await openRefunds(reference)).toEqual([refunds[1], null]);
  });

  test.each([
    ["less than was asked for", 99, false],
    ["all that was asked for", 100, true],
  ])("after a refund of %s (%s of 100): resolved %s", async (_, kobo, ends) => {
    const { reference, refunds } = await twoFailed({ asked: 100 });
    await inOne((trx) => resolveFailure(trx, refunds[0], kobo));
    expect((await openRefunds(reference)).includes(refunds[0])).toBe(!ends);
  });

  test("is resolved while the refund is tried again, and opened again if that fails in the same way", async () => {
    const { reference, refunds } = await twoFailed({ status: "failed" });
    await inOne((trx) => resolveRetried(trx, reference, [refunds[0]]));
    expect(await openRefunds(reference)).toEqual([refunds[1]]);
    await recordIssue(db(), reference, "refund-failed", { status: "failed" }, refunds[0]);
    expect((await openRefunds(reference)).sort()).toEqual([...refunds].sort());
    await inOne((trx) => resolveRetried(trx, reference));
    expect(await openRefunds(reference)).toEqual([]);
  });

  test("stays closed after staff have closed it, until the refund's status changes", async () => {
    const { reference, refunds } = await twoFailed({ status: "failed" });
    await closeIssues(db(), reference);
    await recordIssue(db(), reference, "refund-failed", { status: "failed" }, refunds[0]);
    expect(await openRefunds(reference)).toEqual([]);
    await recordIssue(db(), reference, "refund-failed", { status: "needs-attention" }, refunds[0]);
    expect(await openRefunds(reference)).toEqual([refunds[0]]);
  });
});
