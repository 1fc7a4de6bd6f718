/** The longest name of a way of delivery, in characters. */
export const WAY_NAME_MAX = 40;
export const MOST_WAYS = 20;
export const MOST_PLACES = 400;
export const MOST_DAYS = 60;

/** What an owner sets of a way of delivery (app/shipping/ways/ways.ts). `rateCents` is its whole price. */
export type WayWish = {
  name: string;
  places: string[];
  rateCents: number;
  fromDays: number;
  toDays: number;
  orderBy: string;
};
/** `active`: whether the checkout offers it. `version` rises with each change of the rest. */
export type StoredWay = WayWish & { id: string; active: boolean; version: number };
