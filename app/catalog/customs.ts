import { fold } from "#app/infra/text/fold.ts";

// What customs ask about a piece: its number in the Harmonized System, and the country where it was made.

/** The digits of an HS code: 6 of the system itself, and up to 4 more of a country. Undefined for any other text. */
export function hsCode(typed: string): string | undefined {
  const digits = typed.replaceAll(/[\s.]/g, "");
  return /^\d{6,10}$/.test(digits) ? digits : undefined;
}

const NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const A = 65; // the letter
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(A + at));
/** Codes with a name that belong to no country: reserved ones, parts of the world, and those for tests. */
const NO_COUNTRY = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" "));

/** The country with an ISO 3166 alpha-2 code, in English. Undefined if there is none. */
export function countryName(code: string): string | undefined {
  return NO_COUNTRY.has(code) ? undefined : NAMES.of(code);
}

/** Its code, from a country's code or its English name. Undefined if there is no such country. */
export function countryCode(typed: string): string | undefined {
  const text = typed.trim();
  if (/^[a-z]{2}$/i.test(text)) {
    const code = new Intl.Locale(`und-${text}`).region; // a code that has been replaced, such as UK, as the one in force
    return code && countryName(code) ? code : undefined;
  }
  return codeByName().get(fold(text));
}

let known: Map<string, string> | undefined;

function codeByName(): Map<string, string> {
  known ??= new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
      .filter((code) => new Intl.Locale(`und-${code}`).region === code)
      .flatMap((code): [string, string][] => {
        const name = countryName(code);
        return name ? [[fold(name), code]] : [];
      }),
  );
  return known;
}
