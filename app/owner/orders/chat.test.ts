import { expect, test } from "vitest";
import { chatAbout } from "./chat.ts";

const NEW = { packedAt: null, fulfilledAt: null, readyAt: null, deliveredAt: null, returnedAt: null };
const AT = new Date("2026-11-30T09:00:00Z");
const shipping = { firstName: "Ada", phoneNumber: "08031234567", country: "Nigeria", pickupCenter: "" };
type Order = Parameters<typeof chatAbout>[0];
const order: Order = { ...NEW, number: "IR-7K3M-2Q", state: "sold", carrier: null, tracking: null, shipping };
const at = (center: string) => ({ shipping: { ...shipping, pickupCenter: center } });
const SHOP = { site: "https://irepo.example", name: "Irepo" };
const ACCOUNT = "You see it in your account: https://irepo.example/account";

test.each<[string, Partial<Order>, string]>([
  ["paid", {}, "is paid, and we’re packing it."],
  ["packed", { packedAt: AT }, "is packed."],
  ["sent", { fulfilledAt: AT }, "is on its way."],
  ["sent with a carrier", { fulfilledAt: AT, carrier: "GIG" }, "is on its way with GIG."],
  [
    "sent with a number",
    { fulfilledAt: AT, carrier: "GIG", tracking: "G-77" },
    "is on its way with GIG, tracking number G-77.",
  ],
  ["ready", { readyAt: AT, ...at("Surulere") }, "is ready for you at Surulere."],
  ["picked up", { deliveredAt: AT, ...at("Surulere") }, "was picked up. Is everything right with it?"],
  ["delivered", { deliveredAt: AT }, "was delivered. Is everything right with it?"],
  ["back", { returnedAt: AT }, "came back to us."],
])("the message about an order that is %s", (_, change, news) => {
  const chat = chatAbout({ ...order, ...change }, SHOP);
  expect(chat?.message).toBe(`Hello Ada, this is Irepo, your order IR-7K3M-2Q ${news} ${ACCOUNT}`);
  expect(new URL(chat?.href ?? "").searchParams.get("text")).toBe(chat?.message);
});

test("a parcel whose carrier's page is known can be followed there, as long as it's on its way", () => {
  const url = "https://gig.example/G-77";
  const sent = { ...order, fulfilledAt: AT };
  expect(chatAbout(sent, SHOP, url)?.message).toContain(` Follow it at ${url} `);
  expect(chatAbout({ ...sent, deliveredAt: AT }, SHOP, url)?.message).not.toContain(url);
});

test("the message about an order that isn't paid has only its number", () => {
  const chat = chatAbout({ ...order, state: "open" }, SHOP);
  expect(chat?.message).toBe("Hello Ada, this is Irepo, about your order IR-7K3M-2Q: ");
});

test.each([
  ["Nigeria", "08031234567", "2348031234567"],
  ["Nigeria", "0803 123 4567", "2348031234567"],
  ["United Kingdom", "+447911123456", "447911123456"],
  ["United Kingdom", "+442079460018 ext. 5", "442079460018"],
  ["Nigeria", "12345", undefined],
  ["Ghana", "", undefined],
])("in %s the chat with %j is at wa.me/%s", (country, phoneNumber, digits) => {
  const chat = chatAbout({ ...order, shipping: { ...shipping, country, phoneNumber } }, SHOP);
  expect(chat && new URL(chat.href).pathname.slice(1)).toBe(digits);
});
