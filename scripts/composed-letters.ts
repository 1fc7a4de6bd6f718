/** A letter with a mark, by the numbers of their glyphs. The mark moves by `right` and `up`, in the font's units. */
export type Composed = { base: number; mark: number; right: number; up: number };

type Tables = Map<string, Buffer>;
type Box = [left: number, bottom: number, right: number, top: number];

/**
 * A TrueType font with a further glyph for each of these letters, numbered on from its last one, and as wide as the
 * letter without its mark. The font's other tables don't name the new glyphs.
 */
export function withComposedLetters(file: Buffer, letters: Composed[]): Buffer {
  const tables = tablesOf(file);
  const glyphs = glyphsOf(tables);
  const widths = widthsOf(tables, glyphs.length);
  const { length: before } = glyphs;
  for (const letter of letters) {
    const glyph = composedGlyph(letter, glyphs);
    glyphs.push(glyph);
    widths.push({ width: widths[letter.base]?.width ?? 0, left: glyph.readInt16BE(2) });
  }
  setGlyphs(tables, glyphs);
  setWidths(tables, widths);
  const maxp = table(tables, "maxp");
  maxp.writeUInt16BE(glyphs.length, 4);
  // The most points and contours of a composed glyph, its parts, and how deep they are nested.
  maxp.writeUInt16BE(2 * Math.max(maxp.readUInt16BE(6), maxp.readUInt16BE(10)), 10);
  maxp.writeUInt16BE(2 * Math.max(maxp.readUInt16BE(8), maxp.readUInt16BE(12)), 12);
  maxp.writeUInt16BE(Math.max(2, maxp.readUInt16BE(28)), 28);
  maxp.writeUInt16BE(maxp.readUInt16BE(30) + 1, 30);
  if (glyphs.length !== before + letters.length) throw new Error("Glyphs are missing");
  return fileOf(tables);
}

/** The number of glyphs in a TrueType font. */
export const glyphCount = (file: Buffer) => table(tablesOf(file), "maxp").readUInt16BE(4);

function table(tables: Tables, name: string): Buffer {
  const found = tables.get(name);
  if (!found) throw new Error(`The font has no table ${name}`);
  return found;
}

function tablesOf(file: Buffer): Tables {
  const entries = Array.from({ length: file.readUInt16BE(4) }, (_, at) => file.subarray(12 + 16 * at, 28 + 16 * at));
  return new Map(
    entries.map((entry) => {
      const [from, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)];
      return [entry.toString("latin1", 0, 4), Buffer.from(file.subarray(from, from + length))];
    }),
  );
}

function glyphsOf(tables: Tables): Buffer[] {
  const [loca, glyf] = [table(tables, "loca"), table(tables, "glyf")];
  const isLong = table(tables, "head").readInt16BE(50) === 1;
  const place = (at: number) => (isLong ? loca.readUInt32BE(4 * at) : 2 * loca.readUInt16BE(2 * at));
  const count = table(tables, "maxp").readUInt16BE(4);
  return Array.from({ length: count }, (_, at) => glyf.subarray(place(at), place(at + 1)));
}

/** Writes the glyphs, with their places as long numbers. */
function setGlyphs(tables: Tables, glyphs: Buffer[]): void {
  const loca = Buffer.alloc(4 * (glyphs.length + 1));
  let place = 0;
  const padded = glyphs.map((glyph, at) => {
    loca.writeUInt32BE(place, 4 * at);
    const part = Buffer.concat([glyph, Buffer.alloc((4 - (glyph.length % 4)) % 4)]);
    place += part.length;
    return part;
  });
  loca.writeUInt32BE(place, 4 * glyphs.length);
  tables.set("glyf", Buffer.concat(padded)).set("loca", loca);
  table(tables, "head").writeInt16BE(1, 50);
}

function widthsOf(tables: Tables, count: number): { width: number; left: number }[] {
  const hmtx = table(tables, "hmtx");
  const long = table(tables, "hhea").readUInt16BE(34);
  return Array.from({ length: count }, (_, at) => ({
    width: hmtx.readUInt16BE(4 * Math.min(at, long - 1)),
    left: hmtx.readInt16BE(at < long ? 4 * at + 2 : 4 * long + 2 * (at - long)),
  }));
}

function setWidths(tables: Tables, widths: { width: number; left: number }[]): void {
  const hmtx = Buffer.alloc(4 * widths.length);
  for (const [at, { width, left }] of widths.entries()) {
    hmtx.writeUInt16BE(width, 4 * at);
    hmtx.writeInt16BE(left, 4 * at + 2);
  }
  tables.set("hmtx", hmtx);
  table(tables, "hhea").writeUInt16BE(widths.length, 34);
}

/** A part's offsets are words (1) of x and y (2); more parts follow (32). */
const OFFSETS = 1 | 2;
const MORE = 32;

function composedGlyph({ base, mark, right, up }: Composed, glyphs: Buffer[]): Buffer {
  const one = boxOf(glyphs[base]);
  const other = boxOf(glyphs[mark]);
  const box = [
    Math.min(one[0], other[0] + right),
    Math.min(one[1], other[1] + up),
    Math.max(one[2], other[2] + right),
    Math.max(one[3], other[3] + up),
  ];
  const words = [-1, ...box, OFFSETS | MORE, base, 0, 0, OFFSETS, mark, right, up];
  const glyph = Buffer.alloc(2 * words.length);
  for (const [at, word] of words.entries()) glyph.writeInt16BE(word, 2 * at);
  return glyph;
}

function boxOf(glyph: Buffer | undefined): Box {
  if (!glyph) throw new Error("The font lacks a glyph");
  return [glyph.readInt16BE(2), glyph.readInt16BE(4), glyph.readInt16BE(6), glyph.readInt16BE(8)];
}

function fileOf(tables: Tables): Buffer {
  const names = [...tables.keys()].sort();
  const steps = Math.floor(Math.log2(names.length));
  const directory = Buffer.alloc(12 + 16 * names.length);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(names.length, 4);
  directory.writeUInt16BE(16 * 2 ** steps, 6);
  directory.writeUInt16BE(steps, 8);
  directory.writeUInt16BE(16 * (names.length - 2 ** steps), 10);
  table(tables, "head").writeUInt32BE(0, 8);
  let place = directory.length;
  const parts = names.map((name, at) => {
    const bytes = table(tables, name);
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
    directory.write(name, 12 + 16 * at, "latin1");
    directory.writeUInt32BE(checksum(padded), 16 + 16 * at);
    directory.writeUInt32BE(place, 20 + 16 * at);
    directory.writeUInt32BE(bytes.length, 24 + 16 * at);
    place += padded.length;
    return padded;
  });
  const file = Buffer.concat([directory, ...parts]);
  const head = file.readUInt32BE(20 + 16 * names.indexOf("head"));
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, head + 8);
  return file;
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}
