import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { ENTER, hasTerminal, TAB } from "./terminal.ts";
import { buyInTerminal, expectToRead, type TextBrowser } from "./text-purchase.ts";

const LYNX = "/usr/bin/lynx";

/** Words of a link, or of a line that has one: else it goes back to the page's first link. */
const to = (words: string) => ["/", words, ENTER];
const lynx: TextBrowser = {
  // A field is typed into once Enter is pressed in it: elsewhere keys are commands. Those pressed while a page is shown
  // in part would be lost.
  command: [LYNX, "-partial", "-tna", "-case", "-accept_all_cookies", "-nopause", "-nocolor"],
  ready: /(?:\([\w ]+\)|Commands:) Use /,
  press: (words) => [...to(words), ENTER],
  // It goes to the first radio button of the line.
  mark: (words, at) => [...to(`) ${words}`), TAB.repeat(at), ENTER, TAB],
  field: to,
  type: (text) => [ENTER, text, TAB],
  choose: (option) => [ENTER, ...to(option), ENTER, TAB],
};

describe.skipIf(!hasTerminal || !existsSync(LYNX))("Lynx (Debian's, where it is installed)", () => {
  let shop: RunningShop;
  beforeAll(async () => {
    shop = await runShop();
  });
  afterAll(() => shop?.stop());

  test("53 a purchase in Lynx, through a terminal, reads without a misleading line", async () => {
    expectToRead(await buyInTerminal(shop, lynx, "ada@example.com"));
  });
});
