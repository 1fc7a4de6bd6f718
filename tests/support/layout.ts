import type { Page } from "playwright-core";

/** The number of pixels by which the page, or an open dialog, can be scrolled sideways. */
export function sideways(page: Page): Promise<number> {
  return page.evaluate(() => {
    const scrolling = [document.documentElement, ...document.querySelectorAll("dialog[open] .overflow-y-auto")];
    return Math.max(...scrolling.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });
}

/** The pictures in the text's flow without a size in their markup: the content below them moves when they load. */
export function unsizedPictures(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.images]
      .filter((image) => getComputedStyle(image).position !== "absolute")
      .filter((image) => !(Number(image.getAttribute("width")) > 0 && Number(image.getAttribute("height")) > 0))
      .map((image) => `no width and height: ${image.outerHTML.slice(0, 100)}`),
  );
}

/**
 * The text that cannot be read completely, a line each: cut off by a box around it or by the window's edge, or under
 * other text.
 */
export function lostText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK = 2; // pixels
    type Box = { left: number; right: number; top: number; bottom: number };
    type Piece = { text: string; of: Element; box: Box; floats: boolean };
    const style = (element: Element) => getComputedStyle(element);
    const ancestors = function* (element: Element) {
      for (let one: Element | null = element; one; one = one.parentElement) yield one;
    };
    /** Whether an element is only for screen readers, or not shown at the moment. */
    const isHidden = (element: Element) =>
      element.closest("[inert], [aria-hidden=true], noscript, select") !== null ||
      [...ancestors(element)].some((one) => style(one).clipPath === "inset(50%)") ||
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });

    const pieces: Piece[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const of = node.parentElement;
      if (!of || !node.textContent?.trim() || isHidden(of)) continue;
      // Sticky and fixed bars lie over whatever is scrolled under them.
      const floats = [...ancestors(of)].some((one) => ["sticky", "fixed"].includes(style(one).position));
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, right, top, bottom, width, height } of range.getClientRects()) {
        if (width < 2) continue;
        // A line's box is higher than its letters.
        const inset = height / 5;
        const box = { left, right, top: top + inset, bottom: bottom - inset };
        pieces.push({ text: node.textContent.trim().slice(0, 60), of, box, floats });
      }
    }

    const cutBy = ({ of, box }: Piece) => {
      for (const one of ancestors(of)) {
        if (one === document.body) break;
        const { overflowX, overflowY } = style(one);
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const cutsX = overflowX === "hidden" || overflowX === "clip";
        const cutsY = overflowY === "hidden" || overflowY === "clip";
        if (cutsX && (box.left < left - SLACK || box.right > right + SLACK)) return one;
        if (cutsY && (box.top < top - SLACK || box.bottom > bottom + SLACK)) return one;
        // The text can be scrolled into view.
        if (overflowX === "auto" || overflowX === "scroll" || style(one).position === "fixed") return;
      }
      const { clientWidth } = document.documentElement;
      if (box.left < -SLACK || box.right > clientWidth + SLACK) return document.documentElement;
    };
    const lines: string[] = [];
    for (const piece of pieces) {
      const by = cutBy(piece);
      if (by) lines.push(`cut off by <${by.tagName.toLowerCase()} class="${by.className}">: ${piece.text}`);
    }

    const meet = (a: Box, b: Box) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK;
    pieces.sort((a, b) => a.box.top - b.box.top);
    for (const [index, a] of pieces.entries())
      for (const b of pieces.slice(index + 1)) {
        if (b.box.top > a.box.bottom) break;
        if (a.of !== b.of && a.floats === b.floats && meet(a.box, b.box))
          lines.push(`"${a.text}" and "${b.text}" lie on each other`);
      }
    return [...new Set(lines)];
  });
}

/**
 * What moves in the window while the page at this address arrives block by block, a line each: browsers draw
 * unfinished pages. Only the page's inline scripts run.
 */
export async function movedByArriving(page: Page, url: string): Promise<string[]> {
  const html = (await (await fetch(url)).text()).replaceAll(
    /<script[^>]*(src=|type="(deferred-)?module")[^>]*>.*?<\/script>/gs,
    "",
  );
  await page.goto(new URL("/robots.txt", url).href);
  return page.evaluate(async (html) => {
    const STILL = 3; // pixels: less counts as no movement
    const UP_TO_A_BLOCK =
      /.*?<\/?(?:div|main|section|article|header|footer|nav|ul|ol|li|dl|d[dt]|p|h[1-6]|form|fieldset|img|button|input|select|table|tr|figure|details|summary|dialog|body)\b[^>]*>/gs;
    const inWindow = () => {
      const places = new Map<Element, DOMRect>();
      for (const element of document.body.querySelectorAll("*")) {
        const isSeen =
          /^(IMG|INPUT|SELECT|BUTTON)$/.test(element.tagName) ||
          [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== "");
        if (!isSeen || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const box = element.getBoundingClientRect();
        if (box.width > 0 && box.top < innerHeight && box.bottom > 0) places.set(element, box);
      }
      return places;
    };
    const moved: string[] = [];
    const body = html.indexOf(">", html.indexOf("<body")) + 1;
    document.open();
    document.write(html.slice(0, body));
    while (!document.body) await new Promise(requestAnimationFrame); // the head's script waits for the styles
    let before = new Map<Element, DOMRect>();
    // Each piece ends with the tag of a block. A cut within a line is not needed, as it moves nothing more than the
    // line's end.
    for (const piece of html.slice(body).match(UP_TO_A_BLOCK) ?? []) {
      document.write(piece);
      const now = inWindow();
      for (const [element, { x, y }] of before) {
        const box = now.get(element) ?? element.getBoundingClientRect();
        if (box.width === 0 || (Math.abs(box.x - x) < STILL && Math.abs(box.y - y) < STILL)) continue;
        const from = `${Math.round(x)},${Math.round(y)}`;
        moved.push(
          `${from} -> ${Math.round(box.x)},${Math.round(box.y)} by ${piece}: ${element.outerHTML.slice(0, 100)}`,
        );
      }
      before = now;
    }
    document.close();
    return moved;
  }, html);
}
