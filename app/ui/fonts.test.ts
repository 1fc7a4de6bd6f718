import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
// @ts-expect-error the package ships no types
import subsetFont from "subset-font";
import { describe, expect, test } from "vitest";

const KB = 1024;
const TITLES = "app/ui/archivo-display.woff2";
const files = [
  TITLES,
  ...readdirSync("public/fonts")
    .filter((name) => name.endsWith(".woff2"))
    .map((name) => `public/fonts/${name}`),
];
const weight = (fonts: string[]) => fonts.reduce((sum, font) => sum + statSync(font).size, 0);

type Face = { family: string; file: string; claims: Set<number> };
const faces = ["app/ui/tokens.css", "app/ui/display.css"].flatMap(facesIn);

/** The font faces of a style sheet whose files belong to the shop. */
function facesIn(sheet: string): Face[] {
  const rules = [...readFileSync(sheet, "utf8").matchAll(/@font-face \{([^}]*)\}/g)].map(([, rule = ""]) => rule);
  return rules.flatMap((rule) => {
    const [, url] = /url\("([^"?]+)/.exec(rule) ?? [];
    if (!url) return [];
    const file = url.startsWith("/") ? `public${url}` : path.join(path.dirname(sheet), url);
    const [, family = ""] = /font-family: "([^"]+)"/.exec(rule) ?? [];
    return { family, file, claims: codesIn(/unicode-range:([^;]+);/.exec(rule)?.[1]) };
  });
}

/** A unicode-range like `U+0041-005A, U+00C9` as numbers. Without a range, the face covers all characters. */
function codesIn(range = "U+0-10FFFF"): Set<number> {
  const parts = range.split(",").map((part) => part.trim().slice(2).split("-"));
  return new Set(
    parts.flatMap(([first = "", last = first]) => {
      const begin = Number.parseInt(first, 16);
      return Array.from({ length: Number.parseInt(last, 16) - begin + 1 }, (_, at) => begin + at);
    }),
  );
}

/** The characters that a font contains, read from its character map (OpenType's table cmap, format 4). */
async function lettersOf(file: string): Promise<Set<number>> {
  const font: Buffer = await subsetFont(readFileSync(file), undefined, {
    keepAllGlyphs: true,
    targetFormat: "truetype",
  });
  const cmap = font.subarray(font.readUInt32BE(font.indexOf("cmap", 12, "latin1") + 8));
  const tables = Array.from({ length: cmap.readUInt16BE(2) }, (_, at) => cmap.subarray(cmap.readUInt32BE(8 + at * 8)));
  const table = tables.find((one) => one.readUInt16BE(0) === 4);
  if (!table) throw new Error(`${file} has no such table`);
  const width = table.readUInt16BE(6);
  const letters = new Set<number>();
  for (let at = 0; at < width; at += 2) {
    const [end, start] = [table.readUInt16BE(14 + at), table.readUInt16BE(16 + width + at)];
    const [delta, offset] = [16 + 2 * width + at, 16 + 3 * width + at];
    for (let code = start; code <= end && code < 0xffff; code++) {
      const place = table.readUInt16BE(offset);
      const glyph = place ? table.readUInt16BE(offset + place + 2 * (code - start)) : code + table.readUInt16BE(delta);
      if (glyph & 0xffff) letters.add(code);
    }
  }
  return letters;
}

const text = (codes: Iterable<number>) => [...codes].map((code) => String.fromCodePoint(code)).join("");

test("58 all fonts have at most 60 KB, each page loads no more than before the rare letters, and waits for at most 10 KB", () => {
  expect(weight(files)).toBeLessThanOrEqual(60 * KB);
  expect(weight([...files.filter((file) => /archivo-(latin|naira)\.woff2$/.test(file)), TITLES])).toBeLessThanOrEqual(
    40_972,
  );
  expect(weight([TITLES])).toBeLessThanOrEqual(10 * KB);
});

describe("58 each letter is in the file that claims it", () => {
  test("58 each file belongs to a font face", () => {
    expect(faces.map(({ file }) => file).sort()).toEqual(files.toSorted());
  });

  test.each(faces)("58 $file has the letters of its unicode-range, and no other letter", async ({ file, claims }) => {
    const letters = await lettersOf(file);
    expect(text([...claims].filter((code) => !letters.has(code)))).toBe("");
    expect(text([...letters].filter((code) => !claims.has(code)))).toBe("");
  });

  const TONES = "\u0300\u0301\u0304\u0323";
  test.each(["Archivo", "Archivo Display"])("58 no letter of %s is in two files, but for the tones", (family) => {
    const all = faces.filter((face) => face.family === family).flatMap(({ claims }) => [...claims]);
    const twice = all.filter((code, at) => all.indexOf(code) !== at);
    expect([...text(twice)].filter((letter) => !TONES.includes(letter))).toEqual([]);
  });
});

const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");
const NIGERIAN = {
  Yoruba: "ÀÁÈÉẸÌÍÒÓỌṢÙÚàáèéẹìíòóọṣùúŃń\u0300\u0301\u0304\u0323",
  Igbo: "ỊỌỤṄịọụṅ",
  Hausa: "ƁƊƘƳɓɗƙƴ",
};
test.each<[string, family: string, string]>([
  ["English", "Archivo", `${ASCII}\u00A0‘’“”–—…•·×−©`],
  ...Object.entries(NIGERIAN).map(([name, letters]) => [name, "Archivo", letters] as [string, string, string]),
  ...Object.entries(NIGERIAN).map(([name, letters]) => [name, "Archivo Display", letters] as [string, string, string]),
  ["the office's and the shop's signs", "Archivo", "₦£€²°½≈"],
  ["French", "Archivo", "ÀÂÆÇÈÉÊËÎÏÔÙÛÜàâæçèéêëîïôùûüÿ"],
  ["German", "Archivo", "ÄÖÜäöüß"],
  ["Spanish and Portuguese", "Archivo", "ÁÂÃÇÉÊÍÑÓÔÕÚÜáâãçéêíñóôõúü"],
  ["Scandinavian", "Archivo", "ÄÅÆÖØäåæöø"],
  ["Polish", "Archivo", "ĄĆĘŁŃÓŚŹŻąćęłńóśźż"],
  ["Turkish", "Archivo", "ÂÇĞİÖŞÜâçğıöşü"],
])("17 %s is written in %s without a gap", (_, family, letters) => {
  const claimed = new Set(faces.filter((face) => face.family === family).flatMap(({ claims }) => [...claims]));
  expect([...letters].filter((letter) => !claimed.has(letter.codePointAt(0) ?? 0))).toEqual([]);
});

const DRAWINGS = "app/catalog/link-pictures/fonts";
const drawn = readdirSync(DRAWINGS)
  .filter((name) => name.endsWith(".ttf"))
  .map((name) => `${DRAWINGS}/${name}`);

test("the fonts of link pictures have the letters of Nigeria's languages and the naira sign", async () => {
  const letters = new Set((await Promise.all(drawn.map(lettersOf))).flatMap((codes) => [...codes]));
  const wanted = [...ASCII, ...Object.values(NIGERIAN).join(""), "₦", "…"];
  expect(wanted.filter((letter) => !letters.has(letter.codePointAt(0) ?? 0))).toEqual([]);
});

const PRINTED = "app/orders/receipts/pdf/fonts";

test("the fonts of PDFs have the letters of Nigeria's languages with their tones, and the naira sign", () => {
  const styles = JSON.parse(readFileSync(`${PRINTED}/metrics.json`, "utf8")) as Record<string, { glyphs: object }[]>;
  expect(Object.keys(styles)).toEqual(["regular", "bold"]);
  const bare = [...ASCII, ...Object.values(NIGERIAN).join("")].filter((letter) => !/\p{M}/u.test(letter));
  const toned = ["ẹ́", "ẹ̀", "ẹ̄", "ọ́", "ọ̀", "ọ̄", "Ẹ́", "Ẹ̀", "Ọ́", "Ọ̀", "ḿ", "m̀", "ǹ", "n̄", "ị́", "ụ̀"];
  const wanted = [...bare, ...toned, "₦", "×", "−", "’"].map((letter) => letter.normalize("NFC"));
  for (const faces of Object.values(styles)) {
    const letters = new Set(faces.flatMap(({ glyphs }) => Object.keys(glyphs)));
    expect(wanted.filter((letter) => !letters.has(letter))).toEqual([]);
  }
});

const printed = readdirSync(PRINTED)
  .filter((name) => name.endsWith(".ttf"))
  .map((name) => `${PRINTED}/${name}`);

test("17 the licence of each font stands beside it", () => {
  for (const file of [...files, ...drawn, ...printed]) {
    const family = path.basename(file).startsWith("archivo") ? "archivo" : "google-sans-flex";
    const licence = readFileSync(path.join(path.dirname(file), `${family}-license.txt`), "utf8");
    expect(licence).toContain("SIL OPEN FONT LICENSE Version 1.1");
  }
});
