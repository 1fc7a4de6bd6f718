import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { newVisitor as newPage } from "#tests/support/browser.ts";
import { newVisitor } from "#tests/support/http-visitor.ts";
import { sideways } from "#tests/support/layout.ts";
import { ownerSays } from "#tests/support/shop-command.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const PRODUCT = "/singleProduct/unity-home-jersey";
const file = path.join(mkdtempSync(path.join(tmpdir(), "irepo-messages-")), "text.txt");

async function publish(name: string, text: string) {
  writeFileSync(file, text);
  await ownerSays(shop, "words", "set", name, file);
}

const html = async () => (await fetch(shop.url + PRODUCT)).text();
const scriptsOf = (page: string) => [...new Set([...page.matchAll(/\/assets\/[\w.-]+\.js/g)].map(([name]) => name))];
const added = async () => {
  const answer = await newVisitor(shop.url).post("/Cart", { intent: "add", id: "unity-home-jersey", quantity: "1" });
  return answer.text();
};

test("a published message is said with and without script, and on kept pages, whose scripts stay the same", async () => {
  const before = await html();
  expect(await added()).toContain("Please choose a size first.");
  const own = `Which size? ${"Please look below the picture. ".repeat(8)}`.trim();
  await publish("message-cartOther.noSize", own);
  await publish("message-form.required", "We need your {field}.");
  await expect.poll(html, { timeout: 5000 }).toContain("Which size?");
  await expect.poll(added, { timeout: 5000 }).toContain("Which size?");
  expect(scriptsOf(await html())).toEqual(scriptsOf(before));

  const { page, complaints } = await newPage(browser, { viewport: { width: 320, height: 640 } });
  await page.goto(shop.url + PRODUCT);
  await page.getByRole("button", { name: "Choose a size" }).click({ force: true }); // it looks unready
  await page.getByText("Which size?").waitFor();
  expect(await sideways(page)).toBe(0);
  await page.goto(`${shop.url}/register`);
  await page.getByRole("main").getByLabel("First Name").fill("Ada");
  await page
    .getByRole("main")
    .getByRole("button", { name: /^(Register|Sign up|Create)/i })
    .click();
  await page.getByText("We need your last name.").waitFor();
  expect(complaints).toEqual([]);

  await ownerSays(shop, "words", "undo", "message-cartOther.noSize");
  await ownerSays(shop, "words", "undo", "message-form.required");
  await expect.poll(html, { timeout: 5000 }).not.toContain("Which size?");
  await expect.poll(added, { timeout: 5000 }).toContain("Please choose a size first.");
}, 120_000);
