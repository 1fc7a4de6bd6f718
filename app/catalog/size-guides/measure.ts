export const UNITS = { cm: "centimetres", in: "inches" };
export type Unit = keyof typeof UNITS;
/** A measure in the unit in which it was typed, so that it stays as it is while the other unit is shown. */
export type Measure = { value: number; unit: Unit };

/** The limits of a measure, in cm. */
export const LEAST_CM = 1;
export const MOST_CM = 300;
const CM_OF_AN_INCH = 2.54;
const NUMBER = /^(\d{1,3})(?:[.,](\d{1,2}))?$/;

/** Reads a number with at most `decimals` decimals after a point or a comma. Undefined for any other text. */
export function readMeasure(text: string, decimals: 1 | 2): number | undefined {
  const [, whole = "", part = ""] = NUMBER.exec(text.trim()) ?? [];
  return whole === "" || part.length > decimals ? undefined : Number(`${whole}.${part || 0}`);
}

export function cmOf({ value, unit }: Measure): number {
  return unit === "cm" ? value : value * CM_OF_AN_INCH;
}

/** A measure as text in this unit: as it was typed, or converted with at most one decimal. */
export function textIn(unit: Unit, measure: Measure): string {
  if (measure.unit === unit) return String(measure.value);
  const cm = cmOf(measure);
  return String(Number((unit === "cm" ? cm : cm / CM_OF_AN_INCH).toFixed(1)));
}

export function isPossible(measure: Measure): boolean {
  const cm = cmOf(measure);
  return cm >= LEAST_CM && cm <= MOST_CM;
}

/** The key by which measures of the same name are one, in whichever size guide they are. */
export function measureKey(name: string): string {
  return name.trim().toLowerCase();
}

/** The measures in a JSON text, by key. Anything else in it is left out. */
export function readMeasures(json: string | null): Map<string, Measure> {
  try {
    const stored: unknown = JSON.parse(json ?? "{}");
    return new Map(
      Object.entries(stored as object).flatMap(([key, one]): [string, Measure][] =>
        isMeasure(one) ? [[key, { value: one.value, unit: one.unit }]] : [],
      ),
    );
  } catch {
    return new Map(); // no JSON, or null
  }
}

function isMeasure(one: unknown): one is Measure {
  const { value, unit } = (one ?? {}) as Partial<Measure>;
  return typeof value === "number" && (unit === "cm" || unit === "in") && isPossible({ value, unit });
}
