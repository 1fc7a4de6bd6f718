import path from "node:path";
import type { OverlayOptions } from "sharp";
import { withEntities } from "#app/infra/text/entities.ts";
import { LINK_PICTURE } from "#app/ui/frame/page-meta.ts";
import { inTurn, loadSharp } from "../pictures/sharp.server.ts";
import type { Shown } from "./shown.server.ts";

const { width: WIDTH, height: HEIGHT } = LINK_PICTURE;
/** The photograph fills the right half, the words the left one. */
const HALF = WIDTH / 2;
const EDGE = 56;
const GAP = 28;
/** The colours paper and ink of tokens.css. */
const PAPER = "#fbf8f2";
const INK = "#17130e";

/**
 * The shop's font as files that the server can draw with (scripts/subset-font.ts), since a server may have no fonts.
 * Only letters that none of them has come from the machine's fonts.
 */
const FONTS = ["archivo-latin", "archivo-vietnamese", "archivo-latin-ext", "google-sans-flex-hausa"];
const FOLDER = "app/catalog/link-pictures/fonts";
const FAMILIES = "Archivo SemiBold, Google Sans Flex";
/** The height of a line, and the most that one line's letters with their marks take up, as shares of the size. */
const LINE = 1.09;
const TALLEST = 1.4;

type Sharp = Awaited<ReturnType<typeof loadSharp>>;
/** A text in a box of `width` px, broken into at most `lines` lines. `size` in px. */
type Box = { size: number; width: number; lines: number };
type Drawn = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };

/** Draws a link picture with this photograph or none, as JPEG. At most two pictures are drawn or decoded at once. */
export async function draw({ wordmark, title, price }: Shown, photograph: Buffer | undefined): Promise<Buffer> {
  return inTurn(async () => {
    const sharp = await loadSharp();
    const width = (photograph ? HALF : WIDTH) - 2 * EDGE;
    const name = await drawText(wordmark, { size: 40, width, lines: 1 });
    const layers = [placed(name, EDGE)];
    let bottom = HEIGHT - EDGE;
    for (const [text, size, lines] of [[price, 48, 1] as const, [title, 56, price ? 2 : 3] as const]) {
      if (!text) continue;
      const drawn = await drawText(text, { size, width, lines });
      bottom -= drawn.info.height;
      layers.push(placed(drawn, bottom));
      bottom -= GAP;
    }
    if (photograph) {
      const input = await sharp(photograph).resize({ width: HALF, height: HEIGHT, fit: "cover" }).toBuffer();
      layers.push({ input, left: HALF, top: 0 });
    }
    const paper = { width: WIDTH, height: HEIGHT, channels: 3, background: PAPER } as const;
    return sharp({ create: paper }).composite(layers).jpeg({ quality: 82, mozjpeg: true }).toBuffer();
  });
}

function placed({ data, info }: Drawn, top: number): OverlayOptions {
  return { input: data, raw: info, left: EDGE, top };
}

/**
 * The text as an image of its letters. What does not fit ends with an ellipsis; a letter that is too high is shrunk. A
 * text without anything to see (spaces, joiners) is an image of one clear pixel.
 */
export async function drawText(text: string, box: Box): Promise<Drawn> {
  const sharp = await loadSharp();
  await loadFonts(sharp);
  const drawn = (part: string) => textImage(sharp, part, box);
  const most = (LINE * (box.lines - 1) + TALLEST) * box.size;
  const letters = [...new Intl.Segmenter("en").segment(text)].map(({ segment }) => segment).slice(0, MOST_LETTERS);
  let last = await drawn(letters.join("")).catch(clearIfNothing);
  if (last.info.height <= most) return last;
  let [fitting, tooMany] = [0, letters.length];
  while (tooMany - fitting > 1) {
    const half = Math.floor((fitting + tooMany) / 2);
    const shortened = await drawn(`${letters.slice(0, half).join("").trimEnd()}…`);
    if (shortened.info.height > most) tooMany = half;
    else [fitting, last] = [half, shortened];
  }
  return fitting > 0 ? last : shrunk(sharp, await drawn(letters[0] ?? ""), box.width, Math.floor(most));
}

/** More letters than this never fit: even the narrowest ones fill two lines of the whole width. */
const MOST_LETTERS = 200;

/** The library throws for a text without anything to see. */
function clearIfNothing(error: Error): Drawn {
  if (!error.message.includes("no text to render")) throw error;
  return { data: Buffer.alloc(4), info: { width: 1, height: 1, channels: 4 } };
}

function shrunk(sharp: Sharp, { data, info }: Drawn, width: number, height: number): Promise<Drawn> {
  return sharp(data, { raw: info })
    .resize({ width, height, fit: "inside", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

function textImage(sharp: Sharp, text: string, { size, width }: Box): Promise<Drawn> {
  const marked = `<span foreground="${INK}">${escaped(text)}</span>`;
  return sharp({
    text: { text: marked, font: `${FAMILIES} ${size}`, width, wrap: "word-char", rgba: true },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

/** The text for Pango, which reads markup, refuses control characters, and begins a line at a separator of lines. */
function escaped(text: string): string {
  return withEntities(text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]/gu, " "));
}

let fontsLoaded: Promise<void> | undefined;

/** Makes the fonts known to the library, which happens with the first text that names each file. */
function loadFonts(sharp: Sharp): Promise<void> {
  fontsLoaded ??= loadEach(sharp).catch((error) => {
    fontsLoaded = undefined; // the next text tries again
    throw error;
  });
  return fontsLoaded;
}

async function loadEach(sharp: Sharp): Promise<void> {
  for (const font of FONTS) {
    const fontfile = path.resolve(FOLDER, `${font}.ttf`);
    await sharp({ text: { text: "a", font: FAMILIES, fontfile } })
      .raw()
      .toBuffer();
  }
}
