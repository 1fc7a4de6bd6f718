import type { PlannedParcel } from "#app/owner/orders/parcels/parcels.server.ts";

/** The preview of a sheet, row by row. `of` identifies the sheet, as its text may have changed since. */
export type ParcelPlan = { of: string; planned: PlannedParcel[] };

export const sheetKey = (rows: string, carrier: string) => `${carrier}\n${rows.replaceAll("\r\n", "\n")}`;
