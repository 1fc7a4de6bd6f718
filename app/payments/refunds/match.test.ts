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

test("a refund is known by the note beside it, and whatever has no note of ours is somebody else's", () => {
  const listed = [at("1", "pending", other), at("2", "processed"), at("3", "pending", row)];
  expect(matchRefunds([row, other], listed)).toEqual({
    matched: [
      { row, reported: listed[2] },
      { row: other, reported: listed[0] },
    ],
    foreign: [listed[1]],
  });
});

test("one that came after a failed one counts, and a failure that was known before does not", () => {
  const again = { ...row, failedBefore: ["1"] };
  const failed = at("1", "failed", row);
  expect(matchRefunds([again], [failed])).toEqual({ matched: [], foreign: [] });
  expect(matchRefunds([row], [failed])).toMatchObject({ matched: [{ reported: failed }] });
  expect(matchRefunds([again], [failed, at("2", "pending", row)])).toMatchObject({
    matched: [{ reported: { id: "2" } }],
  });
});

test("a second one for the same part is not passed over: it is counted beside it", () => {
  const twice = [at("1", "processed", row), at("2", "pending", row)];
  expect(matchRefunds([row], twice)).toMatchObject({ matched: [{ reported: { id: "1" } }], foreign: [{ id: "2" }] });
});

test("what has come through counts before what is under way, wherever it stands in the list", () => {
  const listed = [at("1", "pending", row), at("2", "processed", row)];
  expect(matchRefunds([row], listed)).toMatchObject({ matched: [{ reported: { id: "2" } }], foreign: [{ id: "1" }] });
});

test("of two that have come through, the one that it is known by stays it, while it has come through", () => {
  const known = { ...row, providerId: "2", failedBefore: ["1"] };
  const both = [at("1", "processed", row), at("2", "processed", row)];
  expect(matchRefunds([known], both)).toMatchObject({ matched: [{ reported: { id: "2" } }], foreign: [{ id: "1" }] });
  const one = [at("2", "pending", row), at("1", "processed", row)];
  expect(matchRefunds([known], one)).toMatchObject({ matched: [{ reported: { id: "1" } }], foreign: [{ id: "2" }] });
});

test.each([
  ["its id", { ...row, providerId: "1" }],
  ["the id under which it had failed before", { ...row, failedBefore: ["1"] }],
])("without a note of ours a refund is known by %s", (_, known) => {
  const { note: __, ...plain } = at("1", "processed");
  expect(matchRefunds([other, known], [plain])).toEqual({ matched: [{ row: known, reported: plain }], foreign: [] });
});
