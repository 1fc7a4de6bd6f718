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

/** The numbers that are ranges of business days, each with the words of sentences that are about it. */
export const RANGES: readonly { from: keyof Numbers; to: keyof Numbers; about: RegExp }[] = [
  { from: "packFrom", to: "packTo", about: /\b(?:pack|process)/i },
  { from: "nigeriaFrom", to: "nigeriaTo", about: /\bnigeria/i },
  { from: "abroadFrom", to: "abroadTo", about: /\b(?:abroad|international)/i },
];

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
 * The numbers that hold for an order: those of its day. Where the time that its shopper has is longer now, the longer
 * one holds. The time to pack, to deliver or to give money back stays as it was promised.
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
/** A range of business days: "2-3 business days", "2 to 3 business days". */
const RANGE = /\b(\d{1,2})( ?[-–] ?| to )(\d{1,2})(?= (?:business|working) days\b)/gi;
const SENTENCE = /[^.!?]+[.!?]*/g;
/** The hours until a carrier shows where a parcel is are no number of the shop's. */
const OF_CARRIER = /\btrack/i;
const OF_DELIVERY = /\bdeliver/i;

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
    return singles.replace(RANGE, (whole, low, dash, high) => {
      const range = rangeOf(sentence, from, Number(low), Number(high));
      return range ? `${to[range.from]}${dash}${to[range.to]}` : whole;
    });
  });
}

/** The range that a sentence means by these days. Where it is one of two that are alike, its other words decide. */
function rangeOf(sentence: string, numbers: Numbers, low: number, high: number) {
  const alike = RANGES.filter(({ from, to }) => numbers[from] === low && numbers[to] === high);
  const meant = alike.find(({ about }) => about.test(sentence)) ?? alike[0];
  const isPacking = meant?.from === "packFrom";
  return isPacking && OF_DELIVERY.test(sentence) && !meant.about.test(sentence) ? undefined : meant;
}

function nameOf(unit: string, business: string): "returnDays" | "damageHours" | "refundDays" | undefined {
  if (unit.toLowerCase() === "day") return business ? "refundDays" : "returnDays";
  return business ? undefined : "damageHours";
}
