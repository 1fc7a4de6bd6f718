import type { SentParcel, Sheet } from "#app/owner/orders/parcels.server.ts";
import { longWorks } from "../http/long-work.server.ts";

/** The sheets that are being carried out, or were in the last hour. */
export const sheetWorks = longWorks<SentParcel>();

const LONGEST = 100_000;

export function readSheet(form: FormData): Sheet {
  const text = (name: string) => String(form.get(name) ?? "").slice(0, LONGEST);
  return { text: text("rows"), carrier: text("carrier").trim().slice(0, 100) || undefined };
}
