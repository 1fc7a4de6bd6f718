import { inStoredOrder, type SizeGuideWish } from "#app/owner/size-guides/size-guide.ts";

/** A size guide with chest and sleeve in three sizes, and these other values. By default it is for nothing. */
export function sizeGuide(other: Partial<SizeGuideWish> = {}): SizeGuideWish {
  return inStoredOrder({
    name: "Tees",
    falls: "Fits large: take your usual size or one smaller",
    kinds: [],
    collections: [],
    products: [],
    measures: [
      { name: "Chest", meaning: "Around the fullest part of your chest" },
      { name: "Sleeve", meaning: "" },
    ],
    sizes: [
      { size: "S", cm: [92, 60] },
      { size: "M", cm: [96.5, 61] },
      { size: "L", cm: [102, 63] },
    ],
    ...other,
  });
}
