import { expect, test } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OFFICE as BY } from "#tests/support/returns.ts";
import { beginReview, findReview } from "./review.server.ts";

const { db, provider, oneBuyer } = useCheckout();

test("a comparison that a member starts twice is one task, with one row in the audit log", async () => {
  const begin = (staff: string) => beginReview(db(), BY, staff, 7);
  const [first, second, another] = await Promise.all([begin("ada"), begin("ada"), begin("eze")]);
  expect(second).toBe(first);
  expect(another).not.toBe(first);
  await expect.poll(() => findReview("ada", first)).toMatchObject({ isDone: true, failed: false });
  await expect.poll(() => findReview("eze", another)).toMatchObject({ isDone: true, failed: false });
  expect(await begin("ada")).not.toBe(first);
  const written = db().selectFrom("auditLog").select("id").where("action", "=", "check --provider");
  await expect.poll(async () => (await written.execute()).length).toBe(3);
});

test("payments that agree are only counted", async () => {
  const [known, missed] = [await oneBuyer(), await oneBuyer()];
  provider.pay(known.payment.reference);
  await settlePayment(known.payment.reference);
  provider.pay(missed.payment.reference);
  const id = await beginReview(db(), BY, "uche", 7);
  await expect
    .poll(() => findReview("uche", id))
    .toMatchObject({
      isDone: true,
      done: 2,
      all: 2,
      rows: [{ reference: missed.payment.reference, says: "It was “pending” here, and is “paid” now" }],
    });
});

test("a comparison of other days is another task, even while the first one is running", async () => {
  const week = beginReview(db(), BY, "ada", 7);
  const quarter = await beginReview(db(), BY, "ada", 90);
  expect(quarter).not.toBe(await week);
  await expect.poll(() => findReview("ada", quarter)).toMatchObject({ isDone: true, failed: false });
  const written = db().selectFrom("auditLog").select("after").where("action", "=", "check --provider");
  await expect.poll(() => written.execute()).toContainEqual({ after: { days: 90 } });
});
