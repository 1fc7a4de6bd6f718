/**
 * The values that the owner can change without a deployment. Null stands for the environment's value, an empty text for
 * none.
 */
export type ShopValues = {
  email: string | null;
  whatsapp: string | null;
  instagramUrl: string | null;
  xUrl: string | null;
  sizeLimit: number | null;
  notice: string;
  /** Times in ISO 8601. */
  noticeFrom: string | null;
  noticeUntil: string | null;
};
export type ShopValueName = keyof ShopValues;

/** The most letters of a notice: two or three lines on a phone. */
export const NOTICE_MAX = 120;
