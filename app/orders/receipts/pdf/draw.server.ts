import type { CreditNote, Receipt } from "../receipt.ts";
import { COLUMNS, creditTexts, receiptTexts, type SheetTexts, type SumText } from "../texts.ts";
import { EDGE, LINE, Pages, SIZE, WIDTH, wrapped } from "./page.server.ts";
import { type Style, widthOf } from "./typeface.server.ts";

const SMALL = 8;
const TITLE = 22;
const GAP = 20;
const COLUMN_GAP = 32;
const LEAST_COLUMN = 100;
/** The width that is left to the sums beside what they are for. */
const SUMS = 120;

/** A receipt, or one of its credit notes, as a PDF that says the same as its page. */
export function drawReceipt(receipt: Receipt, credit?: CreditNote): Buffer {
  const texts = credit ? creditTexts(receipt, credit) : receiptTexts(receipt);
  const pages = new Pages(`${texts.title} ${texts.number}`);
  drawHead(pages, texts);
  drawRows(pages, texts);
  pages.ensure((texts.vat.length + 4) * SIZE * LINE + 2 * GAP);
  pages.gap(GAP / 2);
  for (const { title, sum } of texts.vat) drawAmount(pages, title, { naira: sum });
  drawAmount(pages, texts.total.title, texts.total.sum, "bold");
  pages.gap(GAP / 2);
  pages.lines(texts.closing, WIDTH, { isGrey: !credit });
  return pages.bytes();
}

function drawHead(pages: Pages, { seller, title, number, day, test, facts }: SheetTexts): void {
  pages.lines(seller.name, WIDTH, { style: "bold" });
  for (const line of seller.lines) pages.lines(line, WIDTH);
  pages.gap(GAP);
  pages.line(title, { size: TITLE, style: "bold" });
  pages.put(number, { style: "bold" });
  pages.line(day, { left: EDGE + widthOf(`${number}  `, "bold", SIZE) });
  if (test) pages.lines(test, WIDTH);
  pages.gap(GAP);
  const widths = columnWidths(facts);
  pages.columns(
    facts.map((fact, at) => () => {
      const left = widths.slice(0, at).reduce((sum, width) => sum + width + COLUMN_GAP, EDGE);
      pages.line(fact.title, { style: "bold", left });
      for (const line of fact.lines) pages.lines(line, widths[at] ?? 0, { left });
    }),
  );
  pages.gap(GAP);
}

/** The width of each fact's longest line. If they don't fit side by side, the widest one is narrower. */
function columnWidths(facts: SheetTexts["facts"]): number[] {
  const widths = facts.map(
    ({ title, lines }) =>
      1 + Math.max(widthOf(title, "bold", SIZE), ...lines.map((line) => widthOf(line, "regular", SIZE))),
  );
  const excess = widths.reduce((sum, width) => sum + width + COLUMN_GAP, -COLUMN_GAP) - WIDTH;
  const widest = Math.max(...widths);
  const narrower = Math.max(widest - excess, LEAST_COLUMN);
  return excess > 0 ? widths.map((width) => (width === widest ? narrower : width)) : widths;
}

/** The most lines of a row that are kept together: a page has room for more. */
const TOGETHER = 40;

/** The table, whose heads stand on each page. A long row is continued on the next page. */
function drawRows(pages: Pages, { rows }: SheetTexts): void {
  const drawColumns = () => {
    pages.put(COLUMNS.what, { style: "bold" });
    pages.line(COLUMNS.sum, { style: "bold", isRight: true });
    pages.rule();
  };
  drawColumns();
  for (const { what, sum } of rows) {
    const lines = wrapped(what, WIDTH - SUMS);
    for (let from = 0; from < lines.length; from += TOGETHER) {
      const part = lines.slice(from, from + TOGETHER);
      if (pages.ensure((Math.max(part.length, 2) + 1) * SIZE * LINE)) drawColumns();
      drawAmount(pages, part.join(" "), from === 0 ? sum : { naira: "" });
    }
    pages.rule(true);
  }
}

function drawAmount(pages: Pages, what: string, { naira, dollars }: SumText, style: Style = "regular"): void {
  pages.columns([
    () => pages.lines(what, WIDTH - SUMS, { style }),
    () => {
      pages.line(naira, { style, isRight: true });
      if (dollars) pages.line(dollars, { size: SMALL, style, isGrey: true, isRight: true });
    },
  ]);
  pages.gap(SIZE * (LINE - 1));
}
