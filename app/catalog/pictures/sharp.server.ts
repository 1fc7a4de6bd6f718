/** The most pixels of a picture, since even a small file can decode to one that fills the memory. */
export const MOST_PIXELS = 40_000_000;

/**
 * The formats that may be opened. Others (drawings, documents) are not: their decoders are large and could load further
 * files.
 */
const READ = ["Jpeg", "Png", "Webp", "Heif", "Nsgif", "Tiff"];

/** A decoded picture takes up to 120 MB, so only this many are decoded at once. */
const AT_ONCE = 2;
let unpacked = 0;
const waiting: (() => void)[] = [];

/** Runs `work` when fewer than `AT_ONCE` pictures are being decoded. */
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

/**
 * Loads sharp when it is first needed, since it takes 26 MB of memory. It is prepared only once: doing it again would
 * break reads in progress.
 */
export function loadSharp() {
  sharpLoaded ??= prepareSharp();
  return sharpLoaded;
}

async function prepareSharp() {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: READ.map((format) => `VipsForeignLoad${format}`) });
  sharp.concurrency(1); // one thread of libvips per picture, so that encoding leaves a core to the shop
  sharp.cache(false);
  return sharp;
}
