import { drawReceipt } from "./pdf/draw.server.ts";
import type { CreditNote, Receipt } from "./receipt.ts";
import { creditNoteXml, invoiceXml } from "./ubl.server.ts";

/** A PDF, or UBL. */
export type Ending = "pdf" | "xml";
const TYPES: Record<Ending, string> = { pdf: "application/pdf", xml: "application/xml; charset=utf-8" };

/**
 * The download that a request wants: a receipt, or its credit note with the number `credit`. 404 if there is none.
 * Callers check whose it is.
 */
export function receiptFile(receipt: Receipt | undefined, ending: Ending, { url }: Request): Response {
  const number = new URL(url).searchParams.get("credit");
  const credit = receipt?.credits.find((one) => one.number === number);
  if (!receipt || (number !== null && !credit)) return new Response("There’s no such receipt.", { status: 404 });
  const body = ending === "pdf" ? new Uint8Array(drawReceipt(receipt, credit)) : ublOf(receipt, credit);
  const name = fileName((credit ?? receipt).number, ending);
  return new Response(body, {
    headers: { "Content-Type": TYPES[ending], "Content-Disposition": `attachment; filename="${name}"` },
  });
}

const ublOf = (receipt: Receipt, credit?: CreditNote) =>
  credit ? creditNoteXml(receipt, credit) : invoiceXml(receipt);

/** The name of the file for a number such as 2026-000123 or CN-2026-000097. */
export function fileName(number: string, ending: Ending): string {
  return `${number.startsWith("CN-") ? "credit-note" : "receipt"}-${number}.${ending}`;
}
