export const SELLER_MAX = 100;
export const ADDRESS_MAX = { lines: 5, letters: 60 };
export const TIN_MAX = 40;
/** In tenths of a percent. */
export const VAT_MAX = 300;

/** The owner's settings of receipts. `address`: lines of text. `tin`: the tax number; empty for none. */
export type ReceiptWish = { isOn: boolean; seller: string; address: string; tin: string; showsVat: boolean };
/** `since`: sales from then on get a number. `version` rises with each change. */
export type ReceiptSettings = ReceiptWish & { since: Date | null; version: number };
/** A rate of VAT from a day on, such as 2026-01-31, in tenths of a percent. */
export type VatRate = { fromDay: string; tenths: number };
