import type { PlannedParcel } from "#app/owner/orders/parcels.server.ts";

/** What would come of a sheet, row by row, and of which sheet: more may have been typed since. */
export type ParcelPlan = { of: string; planned: PlannedParcel[] };

export const sheetKey = (rows: string, carrier: string) => `${carrier}\n${rows.replaceAll("\r\n", "\n")}`;
