import { readFileSync } from "node:fs";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { hexOf, type PdfFile } from "./file.server.ts";

/** The fonts and their measures, cut by scripts/subset-font.ts. */
const FOLDER = path.resolve("app/orders/receipts/pdf/fonts");

export type Style = "regular" | "bold";

/**
 * A font file's measures in thousandths of the font's size. A letter, which may have marks, has its glyph's number in
 * the file and its width.
 */
type Face = {
  file: string;
  /** The least and greatest x and y of its glyphs: left, bottom, right, top. */
  box: [number, number, number, number];
  glyphs: Record<string, Glyph>;
};
type Glyph = [glyph: number, width: number];

/** A letter as it is drawn, and the text that it is found and copied as. */
type Placed = { face: Face; text: string; glyph: Glyph };

let read: Record<Style, Face[]> | undefined;

/** Each style's files, in the order in which a letter is looked for. Read with the first PDF that a process makes. */
function faces(style: Style): Face[] {
  read ??= JSON.parse(readFileSync(path.join(FOLDER, "metrics.json"), "utf8")) as Record<Style, Face[]>;
  return read[style];
}

const LETTERS = new Intl.Segmenter("en");
/** What stands for a letter that no font has. It is still found and copied as what it is. */
const UNKNOWN = "?";

/** The text's letters, each with its marks. Marks that no font has are left out. */
function placed(text: string, style: Style): Placed[] {
  const letters = [...LETTERS.segment(text.normalize("NFC").replace(/\p{C}/gu, ""))];
  return letters.flatMap(({ segment }) => {
    const bare = segment.normalize("NFD").replace(/(?<=.)\p{M}/gsu, "");
    for (const shown of [segment, bare, UNKNOWN]) {
      const face = faces(style).find(({ glyphs }) => Object.hasOwn(glyphs, shown));
      const glyph = face?.glyphs[shown];
      if (face && glyph) return { face, text: segment, glyph };
    }
    return [];
  });
}

/** The width of a text, in the unit of `size`. */
export function widthOf(text: string, style: Style, size: number): number {
  return (placed(text, style).reduce((sum, { glyph: [, width] }) => sum + width, 0) * size) / 1000;
}

/** A glyph with what it is copied as, under the number by which a PDF's lines name it. */
type Letter = { number: number; text: string; glyph: Glyph };

/** The fonts of one PDF: for each file the letters that are used, numbered from 1. */
export class Fonts {
  private readonly used = new Map<Face, Map<string, Letter>>();

  /** The operators that draw a line of text from where the text's place is set. */
  operators(text: string, style: Style, size: number): string {
    let face: Face | undefined;
    let operators = "";
    for (const one of placed(text, style)) {
      const number = this.numberOf(one).toString(16).padStart(4, "0");
      if (one.face !== face) operators += `${face ? "> Tj " : ""}/${this.nameOf(one.face)} ${size} Tf <`;
      operators += number;
      face = one.face;
    }
    return face ? `${operators}> Tj` : "";
  }

  private nameOf(face: Face): string {
    return `F${[...this.used.keys()].indexOf(face)}`;
  }

  private numberOf({ face, text, glyph }: Placed): number {
    const letters = this.used.get(face) ?? new Map<string, Letter>();
    this.used.set(face, letters);
    const key = `${glyph[0]} ${text}`;
    const known = letters.get(key) ?? { number: letters.size + 1, text, glyph };
    letters.set(key, known);
    return known.number;
  }

  /** Adds the fonts that are used. Returns them as a dictionary by name. */
  addTo(pdf: PdfFile): string {
    const entries = [...this.used].map(
      ([face, letters]) => `/${this.nameOf(face)} ${addFont(pdf, face, [...letters.values()])} 0 R`,
    );
    return `<< ${entries.join(" ")} >>`;
  }
}

function addFont(pdf: PdfFile, face: Face, letters: Letter[]): number {
  const glyphs = letters.map(({ glyph }) => glyph);
  const { bytes, length } = compressed(face.file);
  const file = pdf.addCompressed(bytes, `/Length1 ${length} `);
  // The six letters say that the font is a part of the one that is named.
  const name = `AAAAAA+${face.file.replace(/\.ttf$/, "")}`;
  const [, bottom, , top] = face.box;
  const descriptor = pdf.add(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${face.box.join(" ")}] /ItalicAngle 0
/Ascent ${top} /Descent ${bottom} /CapHeight ${top} /StemV 80 /FontFile2 ${file} 0 R >>`,
  );
  const map = pdf.addStream(
    Buffer.from([0, ...glyphs.map(([glyph]) => glyph)].flatMap((one) => [one >> 8, one & 255])),
  );
  const sized = pdf.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /FontDescriptor ${descriptor} 0 R /CIDToGIDMap ${map} 0 R
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [1 [${glyphs.map(([, width]) => width).join(" ")}]] >>`,
  );
  const meanings = pdf.addStream(meaningsOf(letters));
  return pdf.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${sized} 0 R]
/ToUnicode ${meanings} 0 R >>`,
  );
}

/** The most letters that a list in such a table may have. */
const LIST = 100;

/** The table by which programs find and copy text: which letter each number is, from 1. */
function meaningsOf(letters: Letter[]): string {
  const lines = letters.map(({ number, text }) => `<${number.toString(16).padStart(4, "0")}> <${hexOf(text)}>`);
  const lists: string[] = [];
  for (let from = 0; from < lines.length; from += LIST) {
    const list = lines.slice(from, from + LIST);
    lists.push(`${list.length} beginbfchar\n${list.join("\n")}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
${lists.join("\n")}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

const files = new Map<string, { bytes: Buffer; length: number }>();

/** A font file's compressed bytes, and its length before. Compressed once by each process. */
function compressed(name: string): { bytes: Buffer; length: number } {
  const known = files.get(name);
  if (known) return known;
  const file = readFileSync(path.join(FOLDER, name));
  const made = { bytes: deflateSync(file), length: file.length };
  files.set(name, made);
  return made;
}
