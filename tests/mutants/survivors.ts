/** The mutants that no test kills, by file: what stood there, what took its place, and why that is right. */
export const SURVIVORS: Record<string, [from: string, to: string, why: string][]> = {
  "app/money/exchange-rate.ts": [
    ["rate > last", "rate >= last", "equal rates are no distance apart, either way round"],
  ],
};
