import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { ENTER, hasTerminal, TAB } from "./terminal.ts";
import { buyInTerminal, expectToRead, type TextBrowser } from "./text-purchase.ts";

const W3M = "/usr/bin/w3m";
const OPTIONS = ["confirm_qq=false", "accept_cookie=true", "ignorecase_search=0"];
const CLEAR = "\x15";

/** The keys that search for a pattern. */
const to = (pattern: string) => ["/", pattern, ENTER];
const w3m: TextBrowser = {
  command: [W3M, "-cookie", ...OPTIONS.flatMap((option) => ["-o", option])],
  ready: /.*Viewing </,
  press: (words) => [...to(words), ENTER],
  // A checkbox is ticked with the cursor within its brackets.
  mark: (words) => [...to(`.[)]${words}`), ENTER, TAB],
  field: (label) => [...to(label), TAB],
  // The text is typed at the foot of the screen.
  type: (text) => [ENTER, CLEAR, text, ENTER, TAB],
  choose: (option) => [ENTER, ...to(option), ENTER, TAB],
};

describe.skipIf(!hasTerminal || !existsSync(W3M))("w3m (Debian's, where it is installed)", () => {
  let shop: RunningShop;
  beforeAll(async () => {
    shop = await runShop();
  });
  afterAll(() => shop?.stop());

  test("53 a purchase in w3m, through a terminal, reads without a misleading line", async () => {
    expectToRead(await buyInTerminal(shop, w3m, "ada@example.com"));
  });
});
