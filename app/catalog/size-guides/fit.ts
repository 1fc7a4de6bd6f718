import type { MeasuredSize } from "#db/types.ts";
import { sizeName } from "../sizes.ts";
import type { SizeGuideTable } from "./guide.ts";
import { cmOf, type Measure, measureKey } from "./measure.ts";

/**
 * The sizes for a shopper's measures.
 * fits: this size, or several that are equally near.
 * apart: the measures are near sizes that aren't neighbours.
 * none: these measures are near no size.
 */
export type Fit =
  | { kind: "fits"; sizes: string[] }
  | { kind: "apart"; by: { measure: string; sizes: string[] }[] }
  | { kind: "none"; measures: string[] };

/** In cm: the largest distance of a measure from the only value of a guide with one size. */
const NEAR_THE_ONLY = 2;
/** For values in inches, whose centimetres are no round numbers. */
const ROUNDING = 1e-9;

/**
 * The sizes that fit the measures that were given, by `measureKey`. Undefined if none of the guide's measures was.
 * Each measure has the size whose value is nearest to it; in the middle between two, within an eighth of the distance
 * between them, it has both. It may be beyond the smallest and the largest value by half the distance to the next one.
 * A size that all measures have is the one that fits. If there is none, and all have one of two neighbours, it is
 * between these.
 */
export function fitOf({ measures, sizes }: SizeGuideTable, given: ReadonlyMap<string, Measure>): Fit | undefined {
  const by = measures.flatMap(({ name }, at) => {
    const measure = given.get(measureKey(name));
    return measure ? [{ measure: name, sizes: nearSizes(sizes, at, cmOf(measure)) }] : [];
  });
  if (by.length === 0) return;
  const beyond = by.filter((one) => one.sizes.length === 0).map(({ measure }) => measure);
  if (beyond.length > 0) return { kind: "none", measures: beyond };
  const all = sizes.map(({ size }) => size);
  const common = all.filter((size) => by.every((one) => one.sizes.includes(size)));
  if (common.length > 0) return { kind: "fits", sizes: common };
  const near = all.filter((size) => by.some((one) => one.sizes.includes(size)));
  const isBetween = near.length === 2 && all.indexOf(near[1] ?? "") === all.indexOf(near[0] ?? "") + 1;
  return isBetween ? { kind: "fits", sizes: near } : { kind: "apart", by };
}

/** The sizes whose value of one measure is nearest to `cm`. */
function nearSizes(sizes: MeasuredSize[], at: number, cm: number): string[] {
  const values = sizes.map((size) => size.cm[at] ?? 0);
  const near = nearValues(
    [...new Set(values)].sort((a, b) => a - b),
    cm,
  );
  return sizes.filter((_, row) => near.includes(values[row] ?? 0)).map(({ size }) => size);
}

/** One value, two if `cm` is in the middle between them, or none. `values` are in ascending order. */
function nearValues(values: number[], cm: number): number[] {
  const below = values.findLast((value) => value <= cm);
  const above = values.find((value) => value >= cm);
  if (below === undefined || above === undefined) {
    const [end = 0, next] = below === undefined ? values : values.toReversed();
    const most = next === undefined ? NEAR_THE_ONLY : Math.abs(next - end) / 2;
    return Math.abs(cm - end) <= most + ROUNDING ? [end] : [];
  }
  const [toBelow, toAbove] = [cm - below, above - cm];
  if (Math.abs(toBelow - toAbove) <= (above - below) / 4 + ROUNDING) return [below, above];
  return [toBelow < toAbove ? below : above];
}

/** The page's text about the result, such as "Your size: M". */
export function fitText(fit: Fit): string {
  if (fit.kind === "none") return `We don’t have a size for this: ${fit.measures.join(", ")}`;
  if (fit.kind === "apart") {
    const each = fit.by.map(({ measure, sizes }) => `${measure} ${namesOf(sizes, "or")}`);
    return `Your measures are of different sizes: ${each.join(", ")}`;
  }
  if (fit.sizes.length === 1) return `Your size: ${namesOf(fit.sizes, "and")}`;
  return fit.sizes.length === 2 ? `Between ${namesOf(fit.sizes, "and")}` : `These fit: ${namesOf(fit.sizes, "and")}`;
}

/** "S", "S and M", or "S, M and L". */
function namesOf(sizes: string[], last: "and" | "or"): string {
  const names = sizes.map(sizeName);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`;
}
