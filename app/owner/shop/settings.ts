/** What the owner can change without a deployment. Null is the setting of the environment, an empty text none. */
export type ShopValues = {
  email: string | null;
  whatsapp: string | null;
  instagramUrl: string | null;
  xUrl: string | null;
  sizeLimit: number | null;
  notice: string;
  /** Moments, as JSON has them. */
  noticeFrom: string | null;
  noticeUntil: string | null;
};
export type ShopValueName = keyof ShopValues;

/** So many letters a notice may have: two or three lines on a phone. */
export const NOTICE_MAX = 120;
