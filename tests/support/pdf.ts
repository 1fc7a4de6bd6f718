import { extractText } from "unpdf";

/** The text of each page of a PDF, as programs find and copy it, with single spaces between words. */
export async function pdfPages(bytes: Buffer): Promise<string[]> {
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: false });
  return text.map(singleSpaced);
}

/** The text of the first sheet on a receipt's page, in the same way. */
export function sheetText(html: string): string {
  const [, sheet = ""] = /<article[^>]*>(.*?)<\/article>/s.exec(html) ?? [];
  return singleSpaced(
    sheet
      .replace(/<[^>]*>/g, " ")
      .replaceAll("&#x27;", "'")
      .replaceAll("&amp;", "&"),
  );
}

const singleSpaced = (text: string) => text.replace(/\s+/g, " ").trim();
