import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { expect, test, vi } from "vitest";

const ORIGIN = "https://office.shop.example";
type Event = { data?: unknown; notification?: unknown; waitUntil(work: Promise<unknown>): void };

/** The worker of the office's notifications, in a browser with these tabs open. */
function worker(tabs: { url: string; focus(): void }[] = []) {
  const listeners: Record<string, (event: Event) => void> = {};
  const showNotification = vi.fn(async () => undefined);
  const openWindow = vi.fn(async () => undefined);
  const context = createContext({
    addEventListener(name: string, listener: (event: Event) => void) {
      listeners[name] = listener;
    },
    registration: { showNotification },
    clients: { matchAll: async () => tabs, openWindow },
    location: { origin: ORIGIN },
    URL,
  });
  runInContext(readFileSync("public/office-worker.js", "utf8"), context);
  const happens = async (name: string, event: Omit<Event, "waitUntil">) => {
    const work: Promise<unknown>[] = [];
    listeners[name]?.({ ...event, waitUntil: (one) => void work.push(one) });
    await Promise.all(work);
  };
  const click = (path?: unknown) => happens("notificationclick", { notification: { close() {}, data: { path } } });
  return { happens, click, showNotification, openWindow };
}

test("a message is shown with its text, and replaces one with the same tag", async () => {
  const { happens, showNotification } = worker();
  const message = { title: "New order IR-7K3M-2Q", body: "₦79,984", tag: "one", path: "/orders/IR-7K3M-2Q" };
  await happens("push", { data: { json: () => message } });
  expect(showNotification).toHaveBeenCalledWith(
    message.title,
    expect.objectContaining({ body: "₦79,984", tag: "one", data: { path: message.path } }),
  );
});

test("an unreadable message is shown, too: browsers want one for each push", async () => {
  const { happens, showNotification } = worker();
  await happens("push", { data: null });
  expect(showNotification).toHaveBeenCalledWith("Irepo office", expect.anything());
});

test("a press goes to the tab that shows the page, and leads no other tab away", async () => {
  const [there, other] = [vi.fn(), vi.fn()];
  const { click, openWindow } = worker([
    { url: `${ORIGIN}/products/new`, focus: other },
    { url: `${ORIGIN}/orders/IR-7K3M-2Q`, focus: there },
  ]);
  await click("/orders/IR-7K3M-2Q");
  expect([there.mock.calls.length, other.mock.calls.length, openWindow.mock.calls.length]).toEqual([1, 0, 0]);
  await click("/orders?view=person");
  expect(openWindow).toHaveBeenCalledWith(`${ORIGIN}/orders?view=person`);
});

test.each([["https://evil.example/"], ["//evil.example"], ["data:text/html,x"], ["https://"], [undefined]])(
  "no message leads out of the office: %s",
  async (path) => {
    const { click, openWindow } = worker();
    await click(path);
    expect(openWindow).toHaveBeenCalledWith(`${ORIGIN}/`);
  },
);
