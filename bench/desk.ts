import type { BrowserContext, Locator, Page } from "playwright-core";
import { hasComeToRest, nameOf } from "./hand.ts";

/** A person with mouse and keyboard. `pressed` lists each click, and each key that types no text. */
export type Desk = {
  page: Page;
  pressed: string[];
  click(target: Locator): Promise<void>;
  /** One key or several at once: "Enter", "Control+s". */
  key(name: string): Promise<void>;
  /** Types where the cursor is, which counts as no press. */
  type(text: string): Promise<void>;
  /** Pastes text that was copied elsewhere. */
  paste(text: string): Promise<void>;
  /** Opens a list and picks an option: two presses. */
  choose(list: Locator, option: string): Promise<void>;
  /** Picks files in the system's dialog, whose own presses are not counted. */
  pickFiles(button: Locator, files: string[]): Promise<void>;
};

/** Opens a new page that may read the clipboard. */
export async function sitDown(context: BrowserContext): Promise<Desk> {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const pressed: string[] = [];
  const press = async (what: string, act: () => Promise<unknown>) => {
    await hasComeToRest(page);
    await act();
    pressed.push(what);
  };
  return {
    page,
    pressed,
    click: async (target) => press(await nameOf(target), () => target.click()),
    key: (name) => press(name, () => page.keyboard.press(name)),
    type: (text) => page.keyboard.type(text),
    paste: async (text) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await press("Control+v", () => page.keyboard.press("Control+v"));
    },
    choose: async (list, option) => {
      pressed.push(await nameOf(list));
      await press(option, () => list.selectOption(option));
    },
    pickFiles: async (button, files) => press(await nameOf(button), () => button.setInputFiles(files)),
  };
}
