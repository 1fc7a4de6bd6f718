/** The days and hours that the shop promises. Texts and rules read the same ones. */
export type Numbers = {
  /** Days after delivery in which a return can be requested. */
  returnDays: number;
  /** Hours after delivery in which damage or a wrong piece can be reported. */
  damageHours: number;
  /**
   * Business days in which the money must be on its way, from the arrival of the pieces or, if they need not come back,
   * from the approval.
   */
  refundDays: number;
  /** Business days until an order leaves the shop, at least and at most. */
  packFrom: number;
  packTo: number;
  /** Business days of the standard delivery from then on, in Nigeria and abroad. */
  nigeriaFrom: number;
  nigeriaTo: number;
  abroadFrom: number;
  abroadTo: number;
};

/** What the owner has set. Null stands for the numbers that the shop comes with. */
export type StoredNumbers = { [Name in keyof Numbers]: number | null };

export const SHIPPED_NUMBERS: Numbers = {
  returnDays: 14,
  damageHours: 48,
  refundDays: 7,
  packFrom: 2,
  packTo: 3,
  nigeriaFrom: 3,
  nigeriaTo: 7,
  abroadFrom: 7,
  abroadTo: 14,
};
export const NUMBER_NAMES = Object.keys(SHIPPED_NUMBERS) as (keyof Numbers)[];

/** The numbers that are ranges of business days. */
export const RANGES = [
  { from: "packFrom", to: "packTo" },
  { from: "nigeriaFrom", to: "nigeriaTo" },
  { from: "abroadFrom", to: "abroadTo" },
] as const;

/** What the owner may set, as the constraints of `shop_settings` have it. */
export const NUMBER_LIMITS: Record<keyof Numbers, { least: number; most: number }> = {
  returnDays: { least: 7, most: 365 },
  damageHours: { least: 24, most: 720 },
  refundDays: { least: 1, most: 30 },
  packFrom: { least: 0, most: 29 },
  packTo: { least: 1, most: 30 },
  nigeriaFrom: { least: 0, most: 59 },
  nigeriaTo: { least: 1, most: 60 },
  abroadFrom: { least: 0, most: 59 },
  abroadTo: { least: 1, most: 60 },
};

/** The numbers, where some differ from those that the shop comes with. Otherwise undefined: pages stay as they were. */
export function ownNumbers(stored: Partial<StoredNumbers>): Numbers | undefined {
  const numbers = { ...SHIPPED_NUMBERS };
  for (const name of NUMBER_NAMES) numbers[name] = stored[name] ?? numbers[name];
  return NUMBER_NAMES.some((name) => numbers[name] !== SHIPPED_NUMBERS[name]) ? numbers : undefined;
}

/** The numbers of an order's day, and those in force: what the owner had set, and has set now. Null: none. */
export type OrderNumbers = [kept: Partial<Numbers> | null, now: Partial<Numbers> | null];

/**
 * The numbers that hold for an order: those of its day, except for the shopper's periods for returns and damage, of
 * which the longer one then and now holds. The times to pack, deliver and refund stay as they were promised.
 */
export function orderNumbers([kept, now]: OrderNumbers): Numbers {
  const was = { ...SHIPPED_NUMBERS, ...kept };
  const is = { ...SHIPPED_NUMBERS, ...now };
  return {
    ...was,
    returnDays: Math.max(was.returnDays, is.returnDays),
    damageHours: Math.max(was.damageHours, is.damageHours),
  };
}

/** "7 business days", "1 business day". */
export const businessDays = (count: number): string => `${count} business ${count === 1 ? "day" : "days"}`;

/** A message that may name some of the numbers. */
export type Message = string | ((numbers: Numbers) => string);

/** The text of a message with these numbers, by default those that the shop comes with. */
export function textOf(message: Message, numbers = SHIPPED_NUMBERS): string {
  return typeof message === "string" ? message : message(numbers);
}
