import { isScriptThere } from "#tests/support/browser.ts";
import { By, error, until, type WebDriver, type WebElement } from "selenium-webdriver";

const WITHIN = 30_000;

/** What is found by the words that a shopper reads, in capitals or not. */
export const button = (name: string): string => `//button[starts-with(${WORDS}, ${quoted(name)})]`;
export const link = (name: string): string => `//a[contains(${WORDS}, ${quoted(name)})]`;
export const label = (name: string): string => `//label[starts-with(${WORDS}, ${quoted(name)})]`;
export const field = (name: string): string => `//*[@id=${label(name)}/@for]`;

const WORDS = 'translate(normalize-space(), "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")';
const quoted = (name: string) => JSON.stringify(name.toLowerCase());

/** A shopper at the browser: whatever is not there yet, is covered or still moves is waited for. */
export function shopperAt(driver: WebDriver, { script = true } = {}) {
  const wait = (what: string, condition: () => Promise<boolean>) => driver.wait(condition, WITHIN, what, 100);

  async function visible(place: string): Promise<WebElement | undefined> {
    for (const element of await driver.findElements(By.xpath(place))) if (await element.isDisplayed()) return element;
  }
  /** Does it to the first visible one of these, as soon as that can be done. */
  const act = (place: string, doing: (element: WebElement) => Promise<void>) =>
    wait(place, async () => {
      try {
        const element = await visible(place);
        if (element) await doing(element);
        return element !== undefined;
      } catch (reason) {
        if (NOT_YET.some((kind) => reason instanceof kind)) return false;
        throw reason;
      }
    });
  const text = async () => (await driver.findElement(By.css("body")).getText()).toLowerCase();

  return {
    async open(url: string) {
      await driver.get(url);
      if (script) await wait("the page's script", () => driver.executeScript<boolean>(isScriptThere));
    },
    enterFrame: (selector: string) => driver.wait(until.ableToSwitchToFrame(By.css(selector)), WITHIN),
    press: (place: string) => act(place, (element) => element.click()),
    type: (place: string, words: string) =>
      act(place, async (element) => {
        await element.clear();
        await element.sendKeys(words);
      }),
    choose: (place: string, option: string) =>
      act(`${place}/option[starts-with(${WORDS}, ${quoted(option)})]`, (element) => element.click()),
    see: (words: string) => wait(words, async () => (await text()).includes(words.toLowerCase())),
    arrive: (address: RegExp) => wait(String(address), async () => address.test(await driver.getCurrentUrl())),
  };
}

const NOT_YET = [
  error.StaleElementReferenceError,
  error.ElementClickInterceptedError,
  error.ElementNotInteractableError,
];
