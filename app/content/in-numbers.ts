import { type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";

/** The ranges of business days, each with the words of sentences that are about it. */
const WORDS = [
  { from: "packFrom", to: "packTo", about: /\b(?:pack|process)/i },
  { from: "nigeriaFrom", to: "nigeriaTo", about: /\bnigeria/i },
  { from: "abroadFrom", to: "abroadTo", about: /\b(?:abroad|international)/i },
] as const;
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
 * A text of the owner's in which the numbers `from` stand, by default those that the shop comes with, with the numbers
 * `to` in their place. All other words and numbers stay, and those in sentences about tracking. Without `to` the text
 * stays as it is. The shop's own sentences name their numbers in code.
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
  const alike = WORDS.filter(({ from, to }) => numbers[from] === low && numbers[to] === high);
  const meant = alike.find(({ about }) => about.test(sentence)) ?? alike[0];
  const isPacking = meant?.from === "packFrom";
  return isPacking && OF_DELIVERY.test(sentence) && !meant.about.test(sentence) ? undefined : meant;
}

function nameOf(unit: string, business: string): "returnDays" | "damageHours" | "refundDays" | undefined {
  if (unit.toLowerCase() === "day") return business ? "refundDays" : "returnDays";
  return business ? undefined : "damageHours";
}
