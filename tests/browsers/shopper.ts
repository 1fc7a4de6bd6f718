import { By, error, until, type WebDriver, type WebElement } from "selenium-webdriver";
import { isScriptThere } from "#tests/support/browser.ts";

const WITHIN = 30_000;

/**
 * Rejects after a minute, with the name of what the browser has not answered. The driver checks the limit of a wait only
 * between commands: one command without an answer would last as long as the test, whose failure names no command.
 */
export async function answered<Answer>(what: string, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The browser does not answer: ${what}`)), 2 * WITHIN);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** What is found by the words that a shopper reads, in capitals or not. */
export const button = (name: string): string => `//button[starts-with(${WORDS}, ${quoted(name)})]`;
export const link = (name: string): string => `//a[contains(${WORDS}, ${quoted(name)})]`;
export const label = (name: string): string => `//label[starts-with(${WORDS}, ${quoted(name)})]`;
export const field = (name: string): string => `//*[@id=${label(name)}/@for]`;

const WORDS = 'translate(normalize-space(), "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")';
const quoted = (name: string) => JSON.stringify(name.toLowerCase());

/** A shopper at the browser: whatever is not there yet, is covered or still moves is waited for. */
export function shopperAt(driver: WebDriver, { script = true } = {}) {
  const wait = (what: string, condition: () => Promise<boolean>) =>
    answered(what, driver.wait(condition, WITHIN, what, 100));

  /** Whether it could be done to the element by now. */
  async function did(element: WebElement, doing: (element: WebElement) => Promise<void>): Promise<boolean> {
    try {
      if (!(await driver.executeScript(standsStill, element))) return false;
      await doing(element);
      return true;
    } catch (reason) {
      if (NOT_YET.some((kind) => reason instanceof kind)) return false;
      throw reason;
    }
  }
  /** Does it to the first of these that it can be done to, as soon as there is one. */
  const act = (place: string, doing: (element: WebElement) => Promise<void>) =>
    wait(place, async () => {
      for (const element of await driver.findElements(By.xpath(place))) if (await did(element, doing)) return true;
      return false;
    });
  const text = () => driver.executeScript<string>("return document.body.innerText.toLowerCase()");

  return {
    async open(url: string) {
      await answered(url, driver.get(url));
      if (script) await wait("the page's script", () => driver.executeScript<boolean>(isScriptThere));
    },
    enterFrame: (selector: string) =>
      answered(selector, driver.wait(until.ableToSwitchToFrame(By.css(selector)), WITHIN)),
    press: (place: string) => act(place, (element) => element.click()),
    type: (place: string, words: string) =>
      act(place, async (element) => {
        await element.clear();
        await element.sendKeys(words);
      }),
    choose: (place: string, option: string) =>
      act(`${place}/option[starts-with(${WORDS}, ${quoted(option)})]`, (element) => element.click()),
    async see(words: string) {
      let seen = "";
      const isSeen = async () => {
        seen = await text();
        return seen.includes(words.toLowerCase());
      };
      await wait(words, isSeen).catch(async (reason: Error) => {
        throw new Error(`${reason.message}: at ${await driver.getCurrentUrl()} stands: ${seen}`, { cause: reason });
      });
    },
    arrive: (address: RegExp) => wait(String(address), async () => address.test(await driver.getCurrentUrl())),
  };
}

/** Runs in the page. The driver takes what lies a little below the window for visible: here it is scrolled to. */
function standsStill(element: Element): boolean {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const moves = ({ effect, playState, timeline }: Animation) =>
    playState === "running" &&
    timeline === document.timeline &&
    effect instanceof KeyframeEffect &&
    effect.getTiming().iterations !== Infinity &&
    effect.target?.contains(element);
  return !document.getAnimations().some(moves);
}

const NOT_YET = [
  error.StaleElementReferenceError,
  error.ElementClickInterceptedError,
  error.ElementNotInteractableError,
];
