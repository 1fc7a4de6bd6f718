import { expect, test } from "vitest";
import type { ProviderRefund } from "#app/payment-provider/contract.ts";
import { matchRefunds, refundNote } from "./match.ts";

const row = { id: "0b6e2f0e-0000-4000-8000-000000000001", providerId: null, failedBefore: [] as string[] };
const other = { ...row, id: "0b6e2f0e-0000-4000-8000-000000000002" };
const at = (id: string, status: ProviderRefund["status"], of?: { id: string }): ProviderRefund => ({
  id,
  status,
  note: of ? refundNote(of.id, "returned") : "Refund for transaction x by ada@example.com",
});

test("a refund is matched by its note, and one without a note of the shop is foreign", () => {
  const listed = [at("1", "pending", other), at("2", "processed"), at("3", "pending", row)];
  expect(matchRefunds([row, other], listed)).toEqual({
    matched: [
      { row, reported: listed[2] },
      { row: other, reported: listed[0] },
    ],
    foreign: [listed[1]],
  });
});

test("a refund after a failed one is matched, and a failure that was known before is not", () => {
  const again = { ...row, failedBefore: ["1"] };
  const failed = at("1", "failed", row);
  expect(matchRefunds([again], [failed])).toEqual({ matched: [], foreign: [] });
  expect(matchRefunds([row], [failed])).toMatchObject({ matched: [{ reported: failed }] });
  expect(matchRefunds([again], [failed, at("2", "pending", row)])).toMatchObject({
    matched: [{ reported: { id: "2" } }],
  });
});

test("a second refund for the same row is foreign, so that it is counted, too", () => {
  const twice = [at("1", "processed", row), at("2", "pending", row)];
  expect(matchRefunds([row], twice)).toMatchObject({ matched: [{ reported: { id: "1" } }], foreign: [{ id: "2" }] });
});

test("a processed refund is matched before a pending one, in any order of the list", () => {
  const listed = [at("1", "pending", row), at("2", "processed", row)];
  expect(matchRefunds([row], listed)).toMatchObject({ matched: [{ reported: { id: "2" } }], foreign: [{ id: "1" }] });
});

test("of two processed refunds, the one with the stored id is matched, as long as it is processed", () => {
  const known = { ...row, providerId: "2", failedBefore: ["1"] };
  const both = [at("1", "processed", row), at("2", "processed", row)];
  expect(matchRefunds([known], both)).toMatchObject({ matched: [{ reported: { id: "2" } }], foreign: [{ id: "1" }] });
  const one = [at("2", "pending", row), at("1", "processed", row)];
  expect(matchRefunds([known], one)).toMatchObject({ matched: [{ reported: { id: "1" } }], foreign: [{ id: "2" }] });
});

test.each([
  ["its id", { ...row, providerId: "1" }],
  ["the id under which it had failed before", { ...row, failedBefore: ["1"] }],
])("without a note of the shop, a refund is matched by %s", (_, known) => {
  const { note: __, ...plain } = at("1", "processed");
  expect(matchRefunds([other, known], [plain])).toEqual({ matched: [{ row: known, reported: plain }], foreign: [] });
});
