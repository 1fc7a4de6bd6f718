import { describe, expect, test } from "vitest";
import { fitOf, fitText } from "./fit.ts";
import type { SizeGuideTable } from "./guide.ts";
import { type Measure, measureKey } from "./measure.ts";

const column = (name: string) => ({ name, meaning: "" });
/** Chest in steps of 4, 4 and 6 cm; the sleeve of M and L is the same. */
const GUIDE: SizeGuideTable = {
  falls: "",
  measures: [column("Chest"), column("Sleeve")],
  sizes: [
    { size: "S", cm: [92, 60] },
    { size: "M", cm: [96, 62] },
    { size: "L", cm: [100, 62] },
    { size: "XL", cm: [106, 66] },
  ],
};

const APART = "Your measures are of different sizes";

const measured = (given: Record<string, number>, unit: Measure["unit"] = "cm") =>
  new Map(Object.entries(given).map(([name, value]): [string, Measure] => [measureKey(name), { value, unit }]));
const said = (given: Record<string, number>, unit?: Measure["unit"], guide = GUIDE) => {
  const fit = fitOf(guide, measured(given, unit));
  return fit && fitText(fit);
};

describe("the size for a shopper's measures", () => {
  test.each<[string, Record<string, number>, string | undefined]>([
    ["no measure", {}, undefined],
    ["a measure that the guide does not have", { Waist: 80 }, undefined],
    ["the value of a size", { Chest: 96 }, "Your size: M"],
    ["nearer to one than to the other", { Chest: 97.4 }, "Your size: M"],
    ["the middle between two", { Chest: 98 }, "Between M and L"],
    ["an eighth of the distance off the middle", { Chest: 97.5 }, "Between M and L"],
    ["below the smallest by half of the step to the next", { Chest: 90 }, "Your size: S"],
    ["below the smallest by more", { Chest: 89.9 }, "We don’t have a size for this: Chest"],
    ["above the largest by half of the step before it", { Chest: 109 }, "Your size: XL"],
    ["above the largest by more", { Chest: 109.1 }, "We don’t have a size for this: Chest"],
    ["a measure that two sizes share", { Sleeve: 62 }, "Between M and L"],
    ["another one tells them apart", { Sleeve: 62, Chest: 100 }, "Your size: L"],
    ["the middle, and another size", { Chest: 98, Sleeve: 66 }, `${APART}: Chest M or L, Sleeve XL`],
    ["a size, and two beside it", { Chest: 92, Sleeve: 62 }, `${APART}: Chest S, Sleeve M or L`],
    ["sizes far apart", { Chest: 92, Sleeve: 66 }, `${APART}: Chest S, Sleeve XL`],
    ["one that fits and one that fits none", { Chest: 96, Sleeve: 90 }, "We don’t have a size for this: Sleeve"],
  ])("%s", (_, given, text) => {
    expect(said(given)).toBe(text);
  });

  test("is between two neighbours if each measure has one of them", () => {
    const sizes = [
      { size: "M", cm: [96, 60] },
      { size: "L", cm: [100, 63] },
    ];
    expect(said({ Chest: 96, Sleeve: 63 }, "cm", { ...GUIDE, sizes })).toBe("Between M and L");
  });

  test("is the same for inches", () => {
    expect(said({ Chest: 38 }, "in")).toBe("Your size: M"); // 96.52 cm
    expect(said({ Chest: 43 }, "in")).toBe("We don’t have a size for this: Chest"); // 109.22 cm
  });

  test("of a guide with one size is that size or none", () => {
    const guide = { ...GUIDE, measures: [column("Head")], sizes: [{ size: "ONE", cm: [58] }] };
    expect(said({ Head: 60 }, "cm", guide)).toBe("Your size: One size");
    expect(said({ Head: 60.1 }, "cm", guide)).toBe("We don’t have a size for this: Head");
  });

  test("does not depend on the order of the values", () => {
    const sizes = GUIDE.sizes.toReversed();
    expect(said({ Chest: 97 }, "cm", { ...GUIDE, sizes })).toBe("Your size: M");
  });

  test("more than two sizes with the same value all fit", () => {
    const sizes = ["S", "M", "L"].map((size) => ({ size, cm: [96, 60] }));
    expect(said({ Sleeve: 60 }, "cm", { ...GUIDE, sizes })).toBe("These fit: S, M and L");
  });
});
