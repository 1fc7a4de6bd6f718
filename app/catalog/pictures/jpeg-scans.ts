/**
 * The most scans of a JPEG. A usual progressive JPEG has about ten. Each scan costs as much time as the whole picture,
 * but can be as small as a dozen bytes.
 */
const MOST_SCANS = 32;

const [MARK, BEGINS_SCAN, ENDS_PICTURE, STUFFED, FIRST_RESTART, LAST_RESTART] = [0xff, 0xda, 0xd9, 0x00, 0xd0, 0xd7];

/** Whether a JPEG has so many scans that decoding it would take too long. False for any other format. */
export function hasTooManyScans(bytes: Uint8Array): boolean {
  if (bytes[0] !== MARK || bytes[1] !== 0xd8) return false;
  let scans = 0;
  for (let at = nextMarker(bytes, 2); at !== -1; at = nextMarker(bytes, at)) {
    const marker = bytes[at + 1];
    if (marker === ENDS_PICTURE) return false;
    if (marker === BEGINS_SCAN && ++scans > MOST_SCANS) return true;
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)); // skips a segment by its length
  }
  return false;
}

/** The position of the next marker that is not part of compressed data; -1 if there is none. */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MARK, from); at !== -1; at = bytes.indexOf(MARK, at + 1)) {
    const marker = bytes[at + 1];
    if (marker === undefined) return -1;
    const isData = marker === STUFFED || (marker >= FIRST_RESTART && marker <= LAST_RESTART);
    if (!isData && marker !== MARK) return at;
  }
  return -1;
}
