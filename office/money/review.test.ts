import { expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { OFFICE as BY } from "#tests/support/returns.ts";
import { beginReview, findReview } from "./review.server.ts";

const { db } = useCheckout();

test("what is begun twice by the same person, as by two presses, is one work, written down once", async () => {
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

test("one over other days is another work, also while the first goes on", async () => {
  const week = beginReview(db(), BY, "ada", 7);
  const quarter = await beginReview(db(), BY, "ada", 90);
  expect(quarter).not.toBe(await week);
  await expect.poll(() => findReview("ada", quarter)).toMatchObject({ isDone: true, failed: false });
  const written = db().selectFrom("auditLog").select("after").where("action", "=", "check --provider");
  await expect.poll(() => written.execute()).toContainEqual({ after: { days: 90 } });
});
