/** A small file can unpack to a picture that fills the memory. */
export const MOST_PIXELS = 40_000_000;

/** Other formats (drawings, documents) are not opened: their readers are large and could load further files. */
const READ = ["Jpeg", "Png", "Webp", "Heif", "Nsgif", "Tiff"];

/** A picture that is unpacked takes up to 120 MB: only so many are at once. */
const AT_ONCE = 2;
let unpacked = 0;
const waiting: (() => void)[] = [];

/** Unpacks a picture when it is its turn. */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  while (unpacked >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  unpacked++;
  try {
    return await work();
  } finally {
    unpacked--;
    waiting.shift()?.();
  }
}

let sharpLoaded: ReturnType<typeof prepareSharp> | undefined;

/** Loaded when a picture is to be encoded: until then it would take 26 MB of memory for nothing. Once: preparing it again would fail what it is reading. */
export function loadSharp() {
  sharpLoaded ??= prepareSharp();
  return sharpLoaded;
}

async function prepareSharp() {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: READ.map((format) => `VipsForeignLoad${format}`) });
  sharp.concurrency(1); // libvips' own threads: one each, so that encoding leaves a core to the shop
  sharp.cache(false);
  return sharp;
}
