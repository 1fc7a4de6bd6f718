import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { secondOpinion } from "#tests/support/ace.ts";
import { newVisitor } from "#tests/support/browser.ts";
import { endPayment, pressPay } from "#tests/support/http-visitor.ts";
import { asked, browser, office, shop, shopper, staff, useOffice } from "#tests/support/office-in-browser.ts";

useOffice();

const DESKTOP = { by: "mouse", width: 1440 } as const;
const PUBLIC = [
  "/",
  "/shop",
  "/shop?q=nothing-like-this",
  "/singleProduct/unity-home-jersey",
  "/singleProduct/none",
  "/Cart",
  "/checkout",
  "/login",
  "/register",
  "/forgotPassword",
  "/checkMail",
  "/resetPassword?oobCode=x",
  "/verifyMail",
  "/verification",
  "/signIn",
  "/account",
  "/about",
  "/returnpolicy",
  "/shipping-policy",
  "/privacy-policy",
  "/parentcomp",
  "/subscribe",
  "/demo/mail",
];
const OFFICE = [
  "/",
  "/orders?view=all",
  "/orders/parcels",
  "/orders/stall",
  "/delivery",
  "/delivery/change?by=%2B10%25",
  "/delivery/import",
  "/money",
  "/money/payments",
  "/money/issues",
  "/money/receipts",
  "/money/takings",
  "/shop",
  "/shop/name",
  "/shop/addresses",
  "/shop/addresses/address",
  "/shop/addresses/import",
  "/shop/hero",
  "/shop/sections",
  "/words",
  "/words/about",
  "/returns",
  "/customers",
  "/newsletter",
  "/mails",
  "/products",
  "/products/new",
  "/products/stock",
  "/products/import",
  "/me",
  "/staff",
  "/audit",
];

/** What the engine says that is right as it is. */
const EXCUSED: { rule: string; why: string }[] = [
  { rule: "aria_form_label_unique", why: "a form without a name is no landmark: nobody is led to it by its name" },
  {
    rule: "label_content_exists",
    why: "the ticks of a table have words that are read out alone; the browser names them so",
  },
  { rule: "input_checkboxes_grouped", why: "radio buttons of one name are one group within their form alone" },
];

async function expectNothingAt(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: "networkidle" });
  const lines = await secondOpinion(page);
  expect(lines.filter((line) => !EXCUSED.some(({ rule }) => line.startsWith(rule)))).toEqual([]);
}

describe("59 IBM's engine finds nothing that axe has not seen", () => {
  let everybody: Page;
  let buyer: Page;
  let owner: Page;
  /** The parts of addresses that only this shop has. */
  const its: Record<string, string> = {};
  const addressOf = (path: string) => path.replace(/\{(\w+)\}/, (_, name: string) => its[name] ?? "");

  beforeAll(async () => {
    everybody = (await newVisitor(browser, { viewport: { width: 1440, height: 900 } })).page;
    const ada = await shopper(DESKTOP, "ada@example.com", "/");
    const add = { intent: "add", id: "unity-home-jersey", size: "M", quantity: "1" };
    await ada.http.post("/Cart", add);
    const reference = await endPayment((await pressPay(ada.http)).headers.get("location") ?? "", "success");
    await ada.http.get(`/order/${reference}`);
    await ada.http.post("/Cart", add);
    buyer = ada.page;
    owner = (await staff(DESKTOP, "/")).page;
    const [order] = await asked("select number from orders where state = 'sold'");
    const [user] = await asked("select id from users");
    Object.assign(its, { reference, order: order?.number, customer: user?.id });
  });

  test.each(PUBLIC)("on %s, which everybody sees", (path) => expectNothingAt(everybody, shop.url + path));

  test.each([
    "/account",
    "/account/addresses/new",
    "/checkout",
    "/Cart",
    "/order/{reference}",
    "/order/{reference}/return",
    "/order/{reference}/cancel",
    "/order/{reference}/address",
    "/order/{reference}/size",
  ])("on %s of a shopper with an order", (path) => expectNothingAt(buyer, shop.url + addressOf(path)));

  const ONE = [
    "/orders/{order}",
    "/customers/{customer}",
    "/products/unity-home-jersey",
    "/products/unity-home-jersey/stock",
  ];
  test.each([...OFFICE, ...ONE])("on %s of the office", (path) => expectNothingAt(owner, office + addressOf(path)));
});
