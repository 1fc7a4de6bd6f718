vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { readHandover } from "#app/orders/handover/handover.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer } = useCheckout();
const ask = useOfficePages();

let cookies: string[];
beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "owner"));
});
afterEach(() => db().deleteFrom("handoverWays").execute());

const turn = (to: string) => ask("/delivery/ways", cookies, { intent: "handover", way: "standard", to });

/** An order that is sent in the office. Returns the path of its screen. */
async function sentOrder(): Promise<string> {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const row = db().selectFrom("orders").select("number").where("id", "=", payment.orderId);
  const path = `/orders/${(await row.executeTakeFirstOrThrow()).number}`;
  await ask(path, cookies, { intent: "send", carrier: "", tracking: "" });
  return path;
}

test("the owner switches it on for a way; a sent order then gets a link, shown once, and the office never has the code", async () => {
  expect((await turn("on")).text).toContain("Handover by code is on for Standard delivery in Nigeria.");
  const path = await sentOrder();
  expect((await ask(path, cookies)).text).toContain("Make handover link");
  const made = await ask(path, cookies, { intent: "handover" });
  const [, link = ""] = /\/handover\/([\w-]{22})/.exec(made.text) ?? [];
  expect(await readHandover(db(), link)).toBe("open");
  const chat = made.links.find((one) => one.startsWith("https://wa.me/?"));
  expect(decodeURIComponent(chat ?? "")).toContain(`/handover/${link}`);
  const again = await ask(path, cookies);
  expect(again.text).toContain("There’s a link, which we don’t show again.");
  expect(again.raw).not.toContain(link);

  await db()
    .updateTable("handovers")
    .set({ code: "7391", wrongCodes: ["0000", "0001", "0002"] })
    .execute();
  const locked = await ask(path, cookies);
  expect(locked.text).toContain("Three codes were wrong, so the link is locked.");
  expect(locked.raw).not.toMatch(/["> ]7391["< ]/);
  const number = path.split("/").at(-1) ?? "";
  const today = await ask("/", (await staffWithPasskey(db(), "packer")).cookies);
  expect(today.text).toContain(`1 Handover links locked ${number}.`);
  expect(today.links).toContain(path);
  expect((await command(db(), ["status"])).text).toMatch(new RegExp(`handover links locked  1: ${number}`));
  await ask(path, cookies, { intent: "deliver" });
  expect((await ask(path, cookies)).text).not.toContain("Make handover link");
  expect((await ask("/", cookies)).text).not.toContain("Handover links locked");
});

test("making the link leaves the seconds in which “sent” can be taken back; once it is, the link opens nothing", async () => {
  await turn("on");
  const path = await sentOrder();
  const made = await ask(path, cookies, { intent: "handover" });
  const [, link = ""] = /\/handover\/([\w-]{22})/.exec(made.text) ?? [];
  const history = await orderHistory(db(), path.split("/").at(-1) ?? "");
  expect(history.map(({ title }) => title)).toContain("New handover link");
  const act = made.fields.find(({ name }) => name === "act")?.value ?? "";
  expect((await ask(path, cookies, { intent: "take-back", act })).text).toContain("No longer marked as sent");
  expect(await readHandover(db(), link)).toBeUndefined();
});

test("switched off again, an order is sent as before", async () => {
  await turn("on");
  expect((await turn("off")).text).toContain("Handover by code is off");
  const path = await sentOrder();
  expect((await ask(path, cookies)).text).not.toContain("Make handover link");
  expect((await ask(path, cookies, { intent: "handover" })).text).toContain("It’s handed over without a code");
});

test("those who may not change delivery see what is on, without buttons", async () => {
  const reader = await staffWithPasskey(db(), "reader");
  const { text, forms } = await ask("/delivery/ways", reader.cookies);
  expect(text).toContain("Standard delivery in Nigeria Off");
  expect(forms.flatMap(({ intents }) => intents)).not.toContain("handover");
});
