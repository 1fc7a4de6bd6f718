import type { Receipt } from "../receipt.ts";
import { drawReceipt } from "./draw.server.ts";

/**
 * A download of a receipt as a PDF, or of its credit note with this number. 404 if there is none. Callers check whose
 * it is.
 */
export function receiptFile(receipt: Receipt | undefined, creditNumber: string | null): Response {
  const credit = receipt?.credits.find(({ number }) => number === creditNumber);
  if (!receipt || (creditNumber !== null && !credit)) {
    return new Response("There is no such receipt.", { status: 404 });
  }
  return new Response(new Uint8Array(drawReceipt(receipt, credit)), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${fileName((credit ?? receipt).number)}"`,
    },
  });
}

/** The name of the file for a number such as 2026-000123 or CN-2026-000097. */
export const fileName = (number: string) => `${number.startsWith("CN-") ? "credit-note" : "receipt"}-${number}.pdf`;
