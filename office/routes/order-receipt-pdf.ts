import { orderReceiptFile } from "../receipts/file.server.ts";

/** A receipt or a credit note as PDF. */
export const loader = orderReceiptFile("pdf");
