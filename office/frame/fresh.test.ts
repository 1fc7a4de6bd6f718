import { UNSAFE_ErrorResponseImpl } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { keepWhatIsTyped, notDoneText } from "./fresh.browser.tsx";

afterEach(() => vi.unstubAllGlobals());

const breaksOff = new TypeError("Failed to fetch");
const fails = (error: unknown) => ({ serverAction: () => Promise.reject(error) });
const answered = (status: number) => new UNSAFE_ErrorResponseImpl(status, "", null);

test.each([
  ["without a connection, the form was not sent", breaksOff, false, /nothing was changed/],
  ["if the connection breaks off, the change may have been made", breaksOff, true, /can’t tell whether/],
  ["if a proxy answers with 502, the change may have been made", answered(502), true, /can’t tell whether/],
  ["if the office fails, the change may have been made", new Error("Unexpected Server Error"), true, /can’t tell/],
])("%s", async (_, error, onLine, says) => {
  vi.stubGlobal("navigator", { onLine });
  const answer = await keepWhatIsTyped(fails(error));
  expect(answer).toMatchObject({ ok: false, problem: expect.stringMatching(says) });
  expect(notDoneText(answer as { problem: string })).toBe((answer as { problem: string }).problem);
});

test("refusals and redirects of the office are rethrown", async () => {
  const leads = new Response(null, { status: 302 });
  for (const one of [answered(403), answered(404), leads]) await expect(keepWhatIsTyped(fails(one))).rejects.toBe(one);
});
