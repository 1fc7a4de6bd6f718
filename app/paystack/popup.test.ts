import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Callbacks = {
  onLoad(): void;
  onSuccess(answer: { reference: string }): void;
  onCancel(): void;
  onError(error: { message: string }): void;
};

/** A substitute for the provider's library, controlled by the test. */
const library = vi.hoisted(() => ({ made: 0, cancelled: 0, opened: [] as { code: string; callbacks: Callbacks }[] }));
vi.mock("@paystack/inline-js", () => ({
  default: class {
    constructor() {
      library.made++;
    }
    resumeTransaction(code: string, callbacks: Callbacks): void {
      library.opened.push({ code, callbacks });
    }
    cancelTransaction(): void {
      library.cancelled++;
      library.opened.at(-1)?.callbacks.onCancel(); // as the library does
    }
  },
}));

let openPopup: typeof import("./popup.browser.ts").openPopup;
beforeEach(async () => {
  vi.resetModules();
  Object.assign(library, { made: 0, cancelled: 0, opened: [] });
  ({ openPopup } = await import("./popup.browser.ts"));
});

afterEach(() => {
  vi.useRealTimers();
});

async function open(reference = "mine", loadWithin = 60_000) {
  const before = library.opened.length;
  const outcome = openPopup({
    accessCode: `code-${reference}`,
    reference,
    checkoutUrl: "https://checkout.paystack.com",
    loadWithin,
  });
  await expect.poll(() => library.opened.length, { interval: 1 }).toBe(before + 1);
  return { outcome, said: library.opened.at(-1)?.callbacks as Callbacks };
}

test("a payment: loaded, then success", async () => {
  const { outcome, said } = await open();
  said.onLoad();
  said.onSuccess({ reference: "mine" });
  expect(await outcome).toBe("success");
  expect(library.opened[0]?.code).toBe("code-mine");
});

test("a window that is closed", async () => {
  const { outcome, said } = await open();
  said.onLoad();
  said.onCancel();
  expect(await outcome).toBe("closed");
});

test("a success that comes after the window was closed changes nothing: the server is asked anyway", async () => {
  const { outcome, said } = await open();
  said.onCancel();
  said.onSuccess({ reference: "mine" });
  expect(await outcome).toBe("closed");
});

test("S37 a success of another payment is ignored", async () => {
  const { outcome, said } = await open();
  said.onSuccess({ reference: "another shopper's" });
  said.onCancel();
  expect(await outcome).toBe("closed");
});

test("a set-up error: the overlay is removed, and the next try has a new window", async () => {
  const { outcome, said } = await open();
  said.onError({ message: "Invalid access code" });
  expect(await outcome).toBe("error");
  expect(library.cancelled).toBe(1);
  const next = await open();
  expect(library.made).toBe(2);
  next.said.onSuccess({ reference: "mine" });
  expect(await next.outcome).toBe("success");
});

test("a window that never loads is given up, and its overlay is removed", async () => {
  const { outcome } = await open("mine", 5);
  expect(await outcome).toBe("timeout");
  expect(library.cancelled).toBe(1);
});

test("a window that has loaded may stay open as long as it likes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { outcome, said } = await open("mine", 20);
  said.onLoad();
  await vi.advanceTimersByTimeAsync(40);
  said.onSuccess({ reference: "mine" });
  expect(await outcome).toBe("success");
});

test("the page has one window, since two would receive each other's messages", async () => {
  for (const reference of ["one", "two"]) {
    const { outcome, said } = await open(reference);
    said.onSuccess({ reference });
    expect(await outcome).toBe("success");
  }
  expect(library.made).toBe(1);
});

test("Pay pressed twice: the first window counts as closed, the second goes on", async () => {
  const first = await open("one");
  const second = await open("two");
  expect(await first.outcome).toBe("closed");
  second.said.onSuccess({ reference: "two" });
  expect(await second.outcome).toBe("success");
});

test("the library keeps the first callbacks of a transaction: they serve the second opening too", async () => {
  const first = await open("same");
  first.said.onCancel();
  await first.outcome;
  const second = await open("same");
  first.said.onSuccess({ reference: "same" });
  expect(await second.outcome).toBe("success");
});

test("parameters that the library would not take never reach it", async () => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  const outcome = await openPopup({
    accessCode: "",
    reference: "mine",
    checkoutUrl: "https://checkout.paystack.com",
  });
  expect([outcome, library.opened.length]).toEqual(["error", 0]);
  expect(vi.mocked(console.error).mock.calls).toEqual([
    ["Invalid transaction parameters", ["Required parameter missing: accessCode"]],
  ]);
  vi.mocked(console.error).mockClear();
});
