import { orderReceiptFile } from "../receipts/file.server.ts";

/** A receipt or a credit note as UBL. */
export const loader = orderReceiptFile("xml");
