import { afterEach, expect, test, vi } from "vitest";
import { keepWhatIsTyped, notDoneText } from "./fresh.browser.tsx";

afterEach(() => vi.unstubAllGlobals());

const breaksOff = { serverAction: () => Promise.reject(new TypeError("Failed to fetch")) };

test.each([
  ["without a connection nothing was sent", false, /nothing was changed/],
  ["with one that breaks off it is not known whether the form has arrived", true, /look whether it was done/],
])("%s", async (_, onLine, says) => {
  vi.stubGlobal("navigator", { onLine });
  const answer = await keepWhatIsTyped(breaksOff);
  expect(answer).toMatchObject({ ok: false, problem: expect.stringMatching(says) });
  expect(notDoneText(answer as { problem: string })).toBe((answer as { problem: string }).problem);
});

test("another error is nothing of the network's", async () => {
  const fails = { serverAction: () => Promise.reject(new Error("403")) };
  await expect(keepWhatIsTyped(fails)).rejects.toThrow("403");
});
