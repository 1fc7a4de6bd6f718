import { beforeEach, expect, test, vi } from "vitest";

type Request = { container: string; onElementsMount(elements: object | null): void } & Record<
  "onSuccess" | "onCancel" | "onError",
  (about: { message: string }) => void
>;

/** A substitute for the part of the provider's library that the wallet's button needs, controlled by the test. */
const library = vi.hoisted(() => ({
  made: 0,
  cancelled: 0,
  framesRemoved: 0,
  requests: [] as { request: Request; resolve(): void; reject(error: Error): void }[],
}));
vi.mock("@paystack/inline-js", () => ({
  default: class {
    checkoutIframe = { remove: () => library.framesRemoved++ };
    backgroundIframe = { remove: () => library.framesRemoved++ };
    constructor() {
      library.made++;
    }
    paymentRequest(request: Request): Promise<void> {
      // Like the library: cancels the active request and notifies it.
      library.requests.at(-1)?.request.onCancel({ message: "" });
      return new Promise((resolve, reject) => library.requests.push({ request, resolve, reject }));
    }
    cancelTransaction(): void {
      library.cancelled++;
      library.requests.at(-1)?.request.onCancel({ message: "" });
    }
  },
}));

const page = { boxes: 0, label: "" };
const button = { setAttribute: (_: string, label: string) => Object.assign(page, { label }) };
const host = { isConnected: true, append: () => page.boxes++ } as unknown as HTMLElement;

let wallet: typeof import("./wallet.browser.ts");
beforeEach(async () => {
  vi.resetModules();
  Object.assign(library, { made: 0, cancelled: 0, framesRemoved: 0, requests: [] });
  Object.assign(page, { boxes: 0, label: "" });
  vi.stubGlobal("document", {
    createElement: () => ({ remove: () => page.boxes--, querySelector: () => button }),
  });
  wallet = await import("./wallet.browser.ts");
});

async function mount(within?: number) {
  const before = library.requests.length;
  const ends: string[] = [];
  const leaving = new AbortController();
  const isThere = wallet.mountWallet({
    accessCode: "code",
    checkoutUrl: "https://checkout.paystack.com",
    host,
    signal: leaving.signal,
    onPressOutcome: (outcome) => ends.push(outcome),
    within,
  });
  await expect.poll(() => library.requests.length, { interval: 1 }).toBe(before + 1);
  const asked = library.requests.at(-1) as (typeof library.requests)[number];
  const answer = (elements: object | null) => {
    asked.request.onElementsMount(elements);
    asked.resolve();
  };
  return { isThere, ends, said: asked.request, answer, fail: asked.reject, leave: () => leaving.abort() };
}

const THERE = { applePay: true };

test.each<[string, { protocol: string }, object | undefined, boolean]>([
  ["with a wallet", { protocol: "https:" }, { supportsVersion: () => true, canMakePayments: () => true }, true],
  ["without one", { protocol: "https:" }, undefined, false],
  ["with one too old", { protocol: "https:" }, { supportsVersion: () => false, canMakePayments: () => true }, false],
  ["that cannot pay", { protocol: "https:" }, { supportsVersion: () => true, canMakePayments: () => false }, false],
  ["on http", { protocol: "http:" }, { supportsVersion: () => true, canMakePayments: () => true }, false],
])("a device %s", (_, location, ApplePaySession, has) => {
  vi.stubGlobal("location", location);
  vi.stubGlobal("window", { ApplePaySession });
  expect(wallet.deviceHasWallet()).toBe(has);
});

test("the button has a name, and each press is reported", async () => {
  const { isThere, answer, said, ends } = await mount();
  answer(THERE);
  expect(await isThere).toBe(true);
  expect(page).toEqual({ boxes: 1, label: "Pay with Apple Pay" });
  said.onCancel({ message: "" });
  said.onError({ message: "Declined" });
  said.onSuccess({ message: "Approved" });
  expect(ends).toEqual(["failed", "failed", "success"]);
});

test("a payment that no wallet can pay has no button", async () => {
  const { isThere, answer } = await mount();
  answer(null);
  expect(await isThere).toBe(false);
});

test("a refusal of the provider is reported once, by the error", async () => {
  const { isThere, said, fail, ends } = await mount();
  said.onError({ message: "Invalid access code" });
  fail(new Error("Invalid access code"));
  await expect(isThere).rejects.toThrow("Invalid access code");
  expect(ends).toEqual([]);
});

test("a container is required to mount the payment request button", async () => {
  for (const missing of [null, { isConnected: false } as HTMLElement]) {
    const { signal } = new AbortController();
    const mounting = wallet.mountWallet({
      accessCode: "code",
      checkoutUrl: "",
      host: missing,
      signal,
      onPressOutcome: () => {},
    });
    await expect(mounting).rejects.toThrow("A container is required to mount the payment request button");
  }
  expect(library.made).toBe(0);
});

test("a provider that never answers is given up", async () => {
  const { isThere } = await mount(5);
  await expect(isThere).rejects.toThrow("The provider does not answer");
});

test("after the button is removed nothing is reported, and the popup gets a new frame", async () => {
  const { isThere, answer, said, ends, leave } = await mount();
  answer(THERE);
  await isThere;
  leave();
  said.onError({ message: "late" });
  expect(ends).toEqual([]);
  expect([page.boxes, library.cancelled, library.framesRemoved]).toEqual([0, 1, 2]);
  const next = await mount();
  expect(library.made).toBe(2);
  next.answer(THERE);
  expect(await next.isThere).toBe(true);
  expect(next.ends).toEqual([]); // the cancelled earlier request does not concern this one
});

test("a button that is removed while it is mounted does not appear", async () => {
  const { isThere, answer, said, ends, leave } = await mount();
  leave();
  answer(THERE);
  await expect(isThere).rejects.toThrow();
  said.onSuccess({ message: "late" });
  expect([page.boxes, ends]).toEqual([0, []]);
});
