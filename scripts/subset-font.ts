// Cuts the fonts down to the letters in use, each letter in one file only: node scripts/subset-font.ts
// (docs/decisions/048-letters-beyond-latin.md)
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import * as hb from "harfbuzzjs";
// @ts-expect-error the package ships no types
import subsetFont from "subset-font";
import { glyphCount, withComposedLetters } from "./composed-letters.ts";

const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");
const TITLE = `${ASCII.replace(/[^\w .,:;!?'()&/$%+-]/g, "")}–’“”…éÉ`;
const SIGNS = "\u00A0–—‘’“”•…·×−©°²";
const VOWELS = "ÀÁÈÉÌÍÒÓÙÚàáèéìíòóùú";
const TONES = "\u0300\u0301\u0304\u0323";
const DOTTED = "ẸẹỊịỌọỤụ";
const HAUSA = "ƁɓƊɗƘƙƳƴṄṅ";
const WESTERN = "ÂÃÄÅÆÇÊËÎÏÑÔÕÖØÛÜâãäåæçêëîïñôõöøûüßÿı£€½";
const EASTERN = "ŃńṢṣĄąĆćĘęŁłŚśŹźŻżĞğİŞş";

const TEXT = { wght: { min: 400, max: 700 }, wdth: { min: 100, max: 112 } };
const TITLES = { wght: 760, wdth: { min: 118, max: 125 } };
/** Rare letters have one fixed width: in texts the most usual one, in titles one between their two. */
const RARE = { ...TEXT, wdth: 100 };
const RARE_TITLES = { ...TITLES, wdth: 121 };
/**
 * Google Sans Flex, cut where it looks as heavy and as wide as Archivo: its weight of 640 for 700, its width of 88 for
 * 100. It has further axes, which are fixed.
 */
const LIKE_RARE = { wght: { min: 400, max: 640 }, wdth: 88, opsz: 14, slnt: 0 };
const LIKE_RARE_TITLES = { ...LIKE_RARE, wght: 740, wdth: 115 };
const SIGN_LIKE_TEXT = { ...LIKE_RARE, wdth: 100 };
/** One weight and one width: no other is drawn for link pictures (app/catalog/link-pictures). */
const DRAWN = { wght: 700, wdth: 112 };
const LIKE_DRAWN = { ...LIKE_RARE, wght: 640, wdth: 98 };

/**
 * Tables that are dropped. The layout's tables place tone marks on letters; in files without tone marks these tables
 * would be half of the file.
 */
const WITH_TONES = ["STAT"];
const PLAIN = ["STAT", "GDEF", "GPOS", "GSUB"];

type Axes = Record<string, number | { min: number; max: number }>;

await cut("archivo/latin", "public/fonts/archivo-latin", ASCII + SIGNS + VOWELS + TONES, TEXT, WITH_TONES);
await cut("archivo/latin-ext", "public/fonts/archivo-naira", "₦", TEXT, PLAIN);
await cut("archivo/vietnamese", "public/fonts/archivo-vietnamese", DOTTED + TONES, TEXT, WITH_TONES);
await cut("archivo/latin-ext", "public/fonts/archivo-latin-ext", EASTERN, RARE, PLAIN);
await cut("archivo/latin", "public/fonts/archivo-latin-1", WESTERN, RARE, PLAIN);
await cut("google-sans-flex/latin-ext", "public/fonts/google-sans-flex-hausa", HAUSA, LIKE_RARE, PLAIN);
await cut("google-sans-flex/math", "public/fonts/google-sans-flex-math", "≈", SIGN_LIKE_TEXT, PLAIN);

await cut("archivo/latin", "app/ui/archivo-display", TITLE, TITLES, WITH_TONES);
await cut("archivo/latin", "public/fonts/archivo-display-latin", VOWELS.replace(/[éÉ]/g, ""), RARE_TITLES, PLAIN);
await cut("archivo/vietnamese", "public/fonts/archivo-display-vietnamese", DOTTED + TONES, RARE_TITLES, WITH_TONES);
await cut("archivo/latin-ext", "public/fonts/archivo-display-latin-ext", "ŃńṢṣ", RARE_TITLES, PLAIN);
await cut("google-sans-flex/latin-ext", "public/fonts/google-sans-flex-display-hausa", HAUSA, LIKE_RARE_TITLES, PLAIN);

// The library that draws on the server reads no WOFF2. It takes each letter from the first file that has it.
const DRAWINGS = "app/catalog/link-pictures/fonts";
await cut(
  "archivo/latin",
  `${DRAWINGS}/archivo-latin`,
  ASCII + SIGNS + VOWELS + TONES + WESTERN,
  DRAWN,
  WITH_TONES,
  "ttf",
);
await cut("archivo/vietnamese", `${DRAWINGS}/archivo-vietnamese`, DOTTED + TONES, DRAWN, WITH_TONES, "ttf");
await cut("archivo/latin-ext", `${DRAWINGS}/archivo-latin-ext`, `₦${EASTERN}`, DRAWN, PLAIN, "ttf");
await cut("google-sans-flex/latin-ext", `${DRAWINGS}/google-sans-flex-hausa`, HAUSA, LIKE_DRAWN, PLAIN, "ttf");

// A PDF's letters with tone marks are glyphs of their own, so that each is found and copied as one letter. The writer
// of PDFs reads no tables of a font: it finds the glyphs and their widths in metrics.json.
const PRINTED = "app/orders/receipts/pdf/fonts";
const DROPPED = [...PLAIN, "BASE", "cmap", "gasp", "prep"];
const PRINTED_PARTS: [from: string, letters: string, style: (isBold: boolean) => Axes][] = [
  ["archivo/latin", ASCII + SIGNS + VOWELS + TONES + WESTERN, (isBold) => ({ wght: isBold ? 700 : 400, wdth: 100 })],
  ["archivo/vietnamese", DOTTED + TONES, (isBold) => ({ wght: isBold ? 700 : 400, wdth: 100 })],
  ["archivo/latin-ext", `₦${EASTERN}`, (isBold) => ({ wght: isBold ? 700 : 400, wdth: 100 })],
  ["google-sans-flex/latin-ext", HAUSA, (isBold) => ({ ...LIKE_RARE, wght: isBold ? 640 : 400 })],
];
const metrics: Record<string, object[]> = { regular: [], bold: [] };
for (const [from, letters, axes] of PRINTED_PARTS)
  for (const style of ["regular", "bold"]) {
    const name = `${from.replace("/", "-")}-${style}`;
    await cut(from, `${PRINTED}/${name}`, letters, axes(style === "bold"), WITH_TONES, "ttf");
    const measured = measure(readFileSync(`${PRINTED}/${name}.ttf`), letters);
    await cut(from, `${PRINTED}/${name}`, letters, axes(style === "bold"), DROPPED, "ttf");
    const plain = readFileSync(`${PRINTED}/${name}.ttf`);
    const composed = measured.composed.map(({ composed }) => composed);
    writeFileSync(`${PRINTED}/${name}.ttf`, withComposedLetters(plain, composed));
    const first = glyphCount(plain);
    const marked = measured.composed.map(({ letter, width }, at) => [letter, [first + at, width]]);
    metrics[style]?.push({
      file: `${name}.ttf`,
      box: measured.box,
      glyphs: { ...measured.glyphs, ...Object.fromEntries(marked) },
    });
  }
writeFileSync(`${PRINTED}/metrics.json`, `${JSON.stringify(metrics).replaceAll('{"file"', '\n{"file"')}\n`);

/**
 * The measures of a font that places tone marks: its box, the glyph and width of each letter, in thousandths of the
 * font's size, and the letters with tone marks for which it has no glyph.
 */
function measure(file: Buffer, letters: string) {
  const font = new hb.Font(new hb.Face(new hb.Blob(new Uint8Array(file).buffer)));
  const thousandths = (units: number) => Math.round((units * 1000) / font.face.upem);
  const shape = (text: string) => {
    const buffer = new hb.Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    hb.shape(font, buffer);
    return buffer.getGlyphInfosAndPositions();
  };
  const glyphs = [...new Set(letters)].map((letter): [string, [number, number]] => {
    const [{ codepoint, xAdvance = 0 } = { codepoint: 0 }] = shape(letter);
    return [letter, [codepoint, thousandths(xAdvance)]];
  });
  const tones = [...TONES].filter((tone) => letters.includes(tone));
  const bases = [...new Set(letters)].filter((letter) => /^[aeioumn]\u0323?$/i.test(letter.normalize("NFD")));
  const composed = bases.flatMap((base) =>
    tones.flatMap((tone) => {
      const [one, mark] = shape(base + tone);
      if (!one || !mark) return [];
      const { xOffset = 0, yOffset = 0 } = mark;
      const { codepoint, xAdvance = 0 } = one;
      return {
        letter: (base + tone).normalize("NFC"),
        width: thousandths(xAdvance),
        composed: { base: codepoint, mark: mark.codepoint, right: xAdvance + xOffset, up: yOffset },
      };
    }),
  );
  const head = file.readUInt32BE(file.indexOf("head", 12, "latin1") + 8);
  const box = [36, 38, 40, 42].map((at) => thousandths(file.readInt16BE(head + at)));
  return { box, glyphs: Object.fromEntries(glyphs), composed };
}

/** Cuts a font, copies its family's licence beside it, and prints the unicode-range for the style sheet. */
async function cut(
  from: string,
  to: string,
  text: string,
  variationAxes: Axes,
  dropTables: string[],
  ending: "woff2" | "ttf" = "woff2",
): Promise<void> {
  const [family = "", part = ""] = from.split("/");
  const folder = `node_modules/@fontsource-variable/${family}`;
  const source = readFileSync(`${folder}/files/${family}-${part}-standard-normal.woff2`);
  const targetFormat = ending === "ttf" ? "truetype" : ending;
  const options = { targetFormat, noLayoutClosure: true, variationAxes, dropTables };
  const font: Buffer = await subsetFont(source, text, options);
  writeFileSync(`${to}.${ending}`, font);
  copyFileSync(`${folder}/LICENSE`, `${to.replace(/[^/]+$/, family)}-license.txt`);
  process.stdout.write(`${to}: ${font.length} bytes, unicode-range: ${rangeOf(text)}\n`);
}

function rangeOf(text: string): string {
  const codes = [...new Set(text)].map((letter) => letter.codePointAt(0) ?? 0).sort((one, other) => one - other);
  const begins = codes.filter((code) => !codes.includes(code - 1));
  const ends = codes.filter((code) => !codes.includes(code + 1));
  const hex = (code = 0) => code.toString(16).toUpperCase().padStart(4, "0");
  return begins.map((begin, at) => `U+${hex(begin)}${ends[at] === begin ? "" : `-${hex(ends[at])}`}`).join(", ");
}
