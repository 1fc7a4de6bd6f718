import { UNSAFE_ErrorResponseImpl } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { keepWhatIsTyped, notDoneText } from "./fresh.browser.tsx";

afterEach(() => vi.unstubAllGlobals());

const breaksOff = new TypeError("Failed to fetch");
const fails = (error: unknown) => ({ serverAction: () => Promise.reject(error) });
const answered = (status: number) => new UNSAFE_ErrorResponseImpl(status, "", null);

test.each([
  ["without a connection nothing was sent", breaksOff, false, /nothing was changed/],
  ["with one that breaks off it is not known whether it was done", breaksOff, true, /can’t tell whether/],
  ["nor where a proxy answers for the office", answered(502), true, /can’t tell whether/],
  ["nor where the office fails after it may have done it", new Error("Unexpected Server Error"), true, /can’t tell/],
])("%s", async (_, error, onLine, says) => {
  vi.stubGlobal("navigator", { onLine });
  const answer = await keepWhatIsTyped(fails(error));
  expect(answer).toMatchObject({ ok: false, problem: expect.stringMatching(says) });
  expect(notDoneText(answer as { problem: string })).toBe((answer as { problem: string }).problem);
});

test("what the office has refused, and where it leads, is handed on", async () => {
  const leads = new Response(null, { status: 302 });
  for (const one of [answered(403), answered(404), leads]) await expect(keepWhatIsTyped(fails(one))).rejects.toBe(one);
});
