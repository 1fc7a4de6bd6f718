import { ownReceiptFile } from "#app/customer-data/receipt-file.server.ts";

/** A receipt or a credit note as PDF. */
export const loader = ownReceiptFile("pdf");
