import { PdfFile, pdfString } from "./file.server.ts";
import { Fonts, type Style, widthOf } from "./typeface.server.ts";

// All measures are in points, from the lower left corner of a page of A4.
const PAGE = { width: 595.28, height: 841.89 };
export const EDGE = 48;
export const WIDTH = PAGE.width - 2 * EDGE;
const RIGHT = EDGE + WIDTH;
const TOP = PAGE.height - EDGE;
/** Where the text of a page ends. The pages' numbers stand below it. */
const BOTTOM = EDGE + 24;
export const SIZE = 10;
/** The height of a line, as a share of the text's size. */
export const LINE = 1.4;
const BLACK = "0 g";
const GREY = "0.4 g";

/** How a text looks. It begins at `left`, or ends at the right edge if it `isRight`. */
export type Look = { size?: number; style?: Style; isGrey?: boolean; left?: number; isRight?: boolean };

/** The pages of a PDF, on which text is laid line by line, from the top. */
export class Pages {
  private readonly fonts = new Fonts();
  private readonly pages: string[][] = [[]];
  private y = TOP;

  private readonly title: string;

  constructor(title: string) {
    this.title = title;
  }

  /** Draws a text on the current line, and stays on it. */
  put(text: string, { size = SIZE, style = "regular", isGrey = false, left = EDGE, isRight = false }: Look = {}): void {
    const x = isRight ? RIGHT - widthOf(text, style, size) : left;
    this.draw(text, { size, style, isGrey, x, y: this.y - size });
  }

  /** Draws a text on the current line, and goes to the next one. */
  line(text: string, look: Look = {}): void {
    this.put(text, look);
    this.gap((look.size ?? SIZE) * LINE);
  }

  /** Draws a text on as many lines as it takes. */
  lines(text: string, width: number, look: Look = {}): void {
    for (const line of wrapped(text, width, look)) this.line(line, look);
  }

  gap(height: number): void {
    this.y -= height;
  }

  /** Draws each column from the current line on, and goes below the longest. */
  columns(columns: (() => void)[]): void {
    const from = this.y;
    let lowest = from;
    for (const column of columns) {
      this.y = from;
      column();
      lowest = Math.min(lowest, this.y);
    }
    this.y = lowest;
  }

  /** Draws a line across the page. */
  rule(isGrey = false): void {
    this.current.push(`${isGrey ? "0.8 G" : "0 G"} 0.6 w ${EDGE} ${rounded(this.y)} m ${RIGHT} ${rounded(this.y)} l S`);
    this.gap(4);
  }

  /** Goes to a new page, unless the current one has this height left. Whether it did. */
  ensure(height: number): boolean {
    if (this.y - height >= BOTTOM) return false;
    this.pages.push([]);
    this.y = TOP;
    return true;
  }

  bytes(): Buffer {
    const { length } = this.pages;
    const numbers = this.pages.map((_, at) => `${this.title}, page ${at + 1} of ${length}`);
    const pdf = new PdfFile();
    const tree = pdf.reserve();
    if (length > 1)
      for (const [at, page] of this.pages.entries())
        page.push(this.operators(numbers[at] ?? "", { size: 8, style: "regular", isGrey: true, x: EDGE, y: EDGE }));
    const contents = this.pages.map((page) => pdf.addStream(page.join("\n")));
    const fonts = this.fonts.addTo(pdf);
    const kids = contents.map((content) =>
      pdf.add(`<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents ${content} 0 R
/Resources << /Font ${fonts} >> >>`),
    );
    pdf.set(tree, `<< /Type /Pages /Count ${length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] >>`);
    const catalog = pdf.add(
      `<< /Type /Catalog /Pages ${tree} 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>`,
    );
    const info = pdf.add(`<< /Title ${pdfString(this.title)} >>`);
    return pdf.bytes(`/Root ${catalog} 0 R /Info ${info} 0 R`);
  }

  private get current(): string[] {
    return this.pages.at(-1) ?? [];
  }

  private draw(text: string, at: Drawn): void {
    this.current.push(this.operators(text, at));
  }

  private operators(text: string, { size, style, isGrey, x, y }: Drawn): string {
    const place = `${rounded(x)} ${rounded(y)} Td`;
    return `BT ${isGrey ? GREY : BLACK} ${place} ${this.fonts.operators(text, style, size)} ET`;
  }
}

type Drawn = { size: number; style: Style; isGrey: boolean; x: number; y: number };

const rounded = (measure: number) => Math.round(measure * 100) / 100;

/** A text in lines of at most this width. A word that is wider is broken. */
export function wrapped(text: string, width: number, { size = SIZE, style = "regular" }: Look = {}): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  const add = (text: string, itsWidth: number) => {
    line += text;
    used += itsWidth;
  };
  const end = () => {
    if (line) lines.push(line);
    line = "";
    used = 0;
  };
  const space = widthOf(" ", style, size);
  for (const word of text.trim().split(/\s+/)) {
    const ofWord = widthOf(word, style, size);
    const before = line ? space : 0;
    if (used + before + ofWord <= width) {
      add(line ? ` ${word}` : word, before + ofWord);
      continue;
    }
    end();
    for (const { segment } of LETTERS.segment(word)) {
      const ofLetter = widthOf(segment, style, size);
      if (used + ofLetter > width) end();
      add(segment, ofLetter);
    }
  }
  return [...lines, line];
}

const LETTERS = new Intl.Segmenter("en");
