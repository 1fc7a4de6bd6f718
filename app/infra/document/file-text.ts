/** The text of a file, or why it has none: a phrase that follows the file's name. */
export type FileText = { text: string } | { problem: string };

/** How workbooks begin: .xlsx, .ods and .numbers as ZIP archives, .xls as an OLE container. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Reads a file in the encoding in which it was saved: UTF-8 or UTF-16, otherwise Windows-1252 (Western languages). */
export function fileText(bytes: Uint8Array): FileText {
  if (WORKBOOKS.some((start) => start.every((byte, at) => bytes[at] === byte)))
    return { problem: "is a workbook: in the spreadsheet save it as CSV (UTF-8), and choose that file" };
  const text = decoded(bytes);
  return text.includes("\0") ? { problem: "is no text: save it as CSV (UTF-8), and choose that file" } : { text };
}

function decoded(bytes: Uint8Array): string {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  // UTF-16 without a byte order mark: the first letters of a table are ASCII, so every second byte is 0.
  if (first && second === 0 && third && fourth === 0) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0 && second && third === 0 && fourth) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
