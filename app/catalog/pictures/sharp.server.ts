/** A small file can unpack to a picture that fills the memory. */
export const MOST_PIXELS = 40_000_000;

/** Other formats (drawings, documents) are not opened: their readers are large and could load further files. */
const READ = ["Jpeg", "Png", "Webp", "Heif", "Nsgif", "Tiff"];

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
