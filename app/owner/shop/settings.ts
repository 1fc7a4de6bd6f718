import type { StoredBrand } from "#app/brand/brand.ts";
import type { CashRounding } from "#app/by-hand/rounding.ts";
import type { StoredNumbers } from "#app/numbers/numbers.ts";
import type { CardFor } from "#db/types.ts";

/**
 * The values that the owner can change without a deployment. Null stands for the environment's value, an empty text for
 * none.
 */
export type ShopValues = StoredBrand &
  StoredNumbers & {
    email: string | null;
    whatsapp: string | null;
    instagramUrl: string | null;
    xUrl: string | null;
    sizeLimit: number | null;
    /** Per cent of a size in stock that the orders of staff may hold, all of them together. */
    staffShare: number | null;
    notice: string;
    /** Times in ISO 8601. */
    noticeFrom: string | null;
    noticeUntil: string | null;
    /** Name and address on labels and slips, in lines. */
    sender: string;
    senderPhone: string;
    /** The carriers' addresses for parcels, a carrier a line: app/shipping/carriers/carrier.ts. */
    carriers: string;
    cardFor: CardFor;
    /** Whether cash is rounded down to ₦50. */
    cashRounding: CashRounding;
    /** Whether shoppers can make links by which somebody else pays. */
    othersPay: "no" | "yes";
  };
export type ShopValueName = keyof ShopValues;

/** The most letters of a notice: two or three lines on a phone. */
export const NOTICE_MAX = 120;

/** The most lines of the sender, and letters of a line: what fits on a label beside the shopper's address. */
export const SENDER_MAX = { lines: 4, letters: 60 };

/** The most letters of the shop's words. The wordmark fits the header of a phone in two lines. */
export const BRAND_MAX = { shopName: 30, wordmark: 20, tagline: 80, footerLine: 120 };
