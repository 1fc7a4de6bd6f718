import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** A way to operate a page. Each journey is written once, and runs with each of these. */
export type Hand = {
  /** Presses a button, a link or anything else. */
  press(target: Locator): Promise<void>;
  /** Replaces the field's text. */
  type(field: Locator, text: string): Promise<void>;
  paste(field: Locator, text: string): Promise<void>;
  /** Ticks a checkbox, or chooses a radio button. */
  tick(box: Locator): Promise<void>;
  /** Chooses an option of a drop-down list by its words. */
  choose(list: Locator, option: string): Promise<void>;
  /** Picks an item of the menu behind a button. */
  pick(button: Locator, item: string): Promise<void>;
  /** Moves a slider to a value between 0 and 100. */
  slide(slider: Locator, value: number): Promise<void>;
  upload(field: Locator, files: Files): Promise<void>;
};
type Files = string[] | { name: string; mimeType: string; buffer: Buffer };

/** Copies the text as if in another window, selects all and pastes. */
async function pasteInto(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+v");
}

async function chosenBy(page: Page, press: () => Promise<void>, files: Files): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press()]);
  await chooser.setFiles(files);
}

/** A mouse, or a finger. */
export function pointer(page: Page, how: "click" | "tap"): Hand {
  const press = (target: Locator) => target[how]();
  /** A checkbox or a file field may be invisible: then its label is pressed. */
  const pressDrawn = async (field: Locator) => {
    await field.waitFor();
    const isDrawn = ((await field.boundingBox())?.width ?? 0) > 2;
    await press(isDrawn ? field : field.locator("xpath=ancestor::label"));
  };
  return {
    press,
    type: (field, text) => field.fill(text),
    async paste(field, text) {
      await press(field);
      await pasteInto(page, text);
    },
    tick: pressDrawn,
    choose: async (list, option) => void (await list.selectOption(option)),
    async pick(button, item) {
      await press(button);
      await press(page.getByRole("menuitem", { name: item, exact: true }));
    },
    slide: (slider, value) => slider.fill(String(value)),
    upload: (field, files) => chosenBy(page, () => pressDrawn(field), files),
  };
}

const MOST_KEYS = 300;

/** The keyboard alone: keys do all pressing and focusing. Whatever has the focus must be visible. */
export function keyboard(page: Page): Hand & { reach(target: Locator): Promise<void> } {
  const key = (name: string) => page.keyboard.press(name);

  /** Presses the keys that `next` returns, until it returns none. */
  async function walk(target: Locator, next: () => Promise<string | undefined>): Promise<void> {
    for (let pressed = 0; pressed < MOST_KEYS; pressed++) {
      const name = await next();
      if (!name) return;
      await key(name);
    }
    throw new Error(`The keyboard never comes to ${target}`);
  }
  async function reach(target: Locator): Promise<void> {
    await target.waitFor();
    await walk(target, () => target.evaluate(wayTo));
    // Polled, since a screen that refreshes itself may move what has the focus for one frame.
    await expect.poll(() => target.evaluate(whatHides), { message: `${target} has the focus` }).toBeUndefined();
  }
  return {
    reach,
    async press(target) {
      await reach(target);
      await key("Enter");
    },
    async type(field, text) {
      await reach(field);
      await key("ControlOrMeta+a");
      if (text === "") await key("Delete");
      await page.keyboard.type(text);
    },
    async paste(field, text) {
      await reach(field);
      await pasteInto(page, text);
    },
    async tick(box) {
      await reach(box);
      if ((await box.getAttribute("type")) !== "radio") return key("Space");
      if (await box.evaluate((one: HTMLInputElement) => one === document.activeElement && !one.checked))
        await key("Space");
      await walk(box, async () => ((await box.isChecked()) ? undefined : "ArrowDown"));
    },
    async choose(list, option) {
      await reach(list);
      await walk(list, () => list.evaluate(wayToOption, option));
    },
    async pick(button, item) {
      await reach(button);
      await key("Enter");
      const wanted = page.getByRole("menuitem", { name: item, exact: true });
      await wanted.waitFor();
      await walk(wanted, async () => ((await hasFocus(wanted)) ? undefined : "ArrowDown"));
      await key("Enter");
    },
    async slide(slider, value) {
      await reach(slider);
      await key("Home");
      for (let tens = 0; tens < Math.floor(value / 10); tens++) await key("PageUp");
      for (let ones = 0; ones < value % 10; ones++) await key("ArrowRight");
    },
    async upload(field, files) {
      // The dialog must be awaited before the keys that open it are pressed.
      const press = () => reach(field).then(() => key("Enter"));
      await chosenBy(page, press, files);
    },
  };
}

/** Whether an element has the focus. The focus may follow a moment later, so tests poll this. */
export const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/**
 * The next key on the shorter way to an element. None if the element, or another radio button of its group, has the
 * focus. Arrow keys lead between the rows of a grid, Tab within a row.
 */
function wayTo(element: Element): string | undefined {
  const at = element.ownerDocument.activeElement;
  const isSameChoice =
    at instanceof HTMLInputElement &&
    element instanceof HTMLInputElement &&
    at.type === "radio" &&
    at.name === element.name &&
    at.form === element.form;
  if (at === element || isSameChoice) return;
  const isAfter = !at || at.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
  const row = element.closest('[role="row"]');
  const isInOtherRow = row && at && !row.contains(at) && row.closest('[role="grid"]')?.contains(at);
  if (isInOtherRow && at.role === "row") return isAfter ? "ArrowRight" : "ArrowLeft";
  return isAfter && !isInOtherRow ? "Tab" : "Shift+Tab";
}

function wayToOption(list: HTMLSelectElement | Element, words: string): string | undefined {
  if (!(list instanceof HTMLSelectElement)) throw new Error("That is no list");
  const wanted = [...list.options].findIndex(({ text, value }) => text === words || value === words);
  if (wanted < 0) throw new Error(`There is no ${words} in the list`);
  if (wanted === list.selectedIndex) return;
  return wanted > list.selectedIndex ? "ArrowDown" : "ArrowUp";
}

/** Why the focused element cannot be seen: it is outside of the window, covered, or has no visible focus mark. */
function whatHides(): string | undefined {
  const element = document.activeElement;
  if (!element) return "nothing has the focus";
  const drawn = element.getBoundingClientRect().width > 2 ? element : (element.closest("label") ?? element);
  const { left, top, width, height } = drawn.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!seen) return "lies outside of the window";
  const isPassedBy = getComputedStyle(drawn).pointerEvents === "none"; // elementFromPoint ignores it
  if (!isPassedBy && !drawn.contains(seen) && !seen.contains(drawn))
    return `lies under ${seen.outerHTML.slice(0, 100)}`;
  const label = element.closest("label");
  const isMarked = [element, ...(label ? [label, ...label.querySelectorAll("*")] : [])].some((one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  });
  return isMarked ? undefined : "has no mark of it";
}
