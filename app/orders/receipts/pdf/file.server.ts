import { deflateSync } from "node:zlib";

/**
 * The objects of a PDF file (ISO 32000-1, chapter 7), of which each may point to others by their numbers: `5 0 R`.
 */
export class PdfFile {
  private readonly objects: Buffer[] = [];

  /** Takes a number for an object that `set` gives later. */
  reserve(): number {
    return this.objects.push(Buffer.from("null"));
  }

  set(number: number, object: string): void {
    this.objects[number - 1] = Buffer.from(object, "latin1");
  }

  add(object: string): number {
    return this.objects.push(Buffer.from(object, "latin1"));
  }

  /** Adds bytes that were compressed with `deflateSync`. `entries`: further entries of the stream's dictionary. */
  addCompressed(bytes: Buffer, entries = ""): number {
    const dictionary = `<< /Length ${bytes.length} /Filter /FlateDecode ${entries}>>\nstream\n`;
    return this.objects.push(Buffer.concat([Buffer.from(dictionary), bytes, Buffer.from("\nendstream")]));
  }

  addStream(content: string | Buffer): number {
    return this.addCompressed(deflateSync(content));
  }

  /** The whole file. `trailer`: the entries that name the first objects. */
  bytes(trailer: string): Buffer {
    // The second line tells programs that the file isn't text.
    const parts = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")];
    let length = parts[0]?.length ?? 0;
    const places = this.objects.map((object, at) => {
      const place = length;
      const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
      parts.push(part);
      length += part.length;
      return `${String(place).padStart(10, "0")} 00000 n \n`;
    });
    const size = this.objects.length + 1;
    const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join("")}`;
    return Buffer.concat([
      ...parts,
      Buffer.from(`${table}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`),
    ]);
  }
}

/** A text as a PDF's string, in UTF-16, in which any letter can stand. */
export const pdfString = (text: string) => `<FEFF${hexOf(text)}>`;

/** A text in UTF-16 with the higher byte first, as hexadecimal digits. */
export function hexOf(text: string): string {
  return Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase();
}
