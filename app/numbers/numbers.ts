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
};
export const NUMBER_NAMES = ["returnDays", "damageHours", "refundDays", "packFrom", "packTo"] as const satisfies (keyof Numbers)[];

/** What the owner has set. Null stands for the numbers that the shop comes with. */
export type StoredNumbers = { [Name in keyof Numbers]: number | null };

export const SHIPPED_NUMBERS: Numbers = { returnDays: 14, damageHours: 48, refundDays: 7, packFrom: 2, packTo: 3 };

/** What the owner may set, as the constraints of `shop_settings` have it. */
export const NUMBER_LIMITS: Record<keyof Numbers, { least: number; most: number }> = {
  returnDays: { least: 7, most: 365 },
  damageHours: { least: 24, most: 720 },
  refundDays: { least: 1, most: 30 },
  packFrom: { least: 0, most: 29 },
  packTo: { least: 1, most: 30 },
};

/** The numbers, where some differ from those that the shop comes with. Otherwise undefined: pages stay as they were. */
export function ownNumbers(stored: Partial<StoredNumbers>): Numbers | undefined {
  const { returnDays, damageHours, refundDays, packFrom, packTo } = SHIPPED_NUMBERS;
  const numbers = {
    returnDays: stored.returnDays ?? returnDays,
    damageHours: stored.damageHours ?? damageHours,
    refundDays: stored.refundDays ?? refundDays,
    packFrom: stored.packFrom ?? packFrom,
    packTo: stored.packTo ?? packTo,
  };
  return NUMBER_NAMES.some((name) => numbers[name] !== SHIPPED_NUMBERS[name]) ? numbers : undefined;
}

/** The numbers of an order's day, and those in force: what the owner had set, and has set now. Null: none. */
export type OrderNumbers = [kept: Partial<Numbers> | null, now: Partial<Numbers> | null];

/**
 * The numbers that hold for an order: those of its day. Where the time that its shopper has is longer now, the longer
 * one holds. The time that the shop has to pack or to give money back stays as it was promised.
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

/** A number of days or hours: "14 days", "a 48-hour limit", "7 business days". */
const TIME = /\b(\d{1,3})([ -])(business |working )?(hour|day)(s?)\b/gi;
/** What stands before a number that is part of a larger one, or the end of a range. */
const IN_PART = /(?:[\d.,]|\d ?[-–] ?|\d to )$/;
/** The days until an order leaves: "2-3 business days", "2 to 3 business days". */
const RANGE = /\b(\d{1,2})( ?[-–] ?| to )(\d{1,2})(?= (?:business|working) days\b)/gi;
const SENTENCE = /[^.!?]+[.!?]*/g;
/** The hours until a carrier shows where a parcel is, and the days that it takes, are no numbers of the shop's. */
const OF_CARRIER = /\btrack/i;
const OF_DELIVERY = /\b(?:deliver|nigeria|abroad|international)/i;
const OF_PACKING = /\b(?:pack|process)/i;

/**
 * A text in which the numbers `from` stand, by default those that the shop comes with, with the numbers `to` in their
 * place. All other words and numbers stay, and those in sentences about tracking. Without `to` the text stays as it is.
 */
export function inNumbers(text: string, to: Numbers | undefined, from = SHIPPED_NUMBERS): string {
  if (!to) return text;
  return text.replace(SENTENCE, (sentence) => {
    if (OF_CARRIER.test(sentence)) return sentence;
    const singles = sentence.replace(TIME, (whole, typed, space, business = "", unit, many, at: number) => {
      const name = nameOf(unit, business);
      if (!name || Number(typed) !== from[name] || IN_PART.test(sentence.slice(0, at))) return whole;
      const ending = space === "-" ? many : to[name] === 1 ? "" : "s";
      return `${to[name]}${space}${business}${unit}${ending}`;
    });
    if (OF_DELIVERY.test(sentence) && !OF_PACKING.test(sentence)) return singles;
    return singles.replace(RANGE, (whole, low, dash, high) =>
      Number(low) === from.packFrom && Number(high) === from.packTo ? `${to.packFrom}${dash}${to.packTo}` : whole,
    );
  });
}

function nameOf(unit: string, business: string): "returnDays" | "damageHours" | "refundDays" | undefined {
  if (unit.toLowerCase() === "day") return business ? "refundDays" : "returnDays";
  return business ? undefined : "damageHours";
}
