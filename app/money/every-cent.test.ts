import { expect, test } from "vitest";
import { chargeInKobo, parseRate, type Rate } from "./exchange-rate.ts";
import { usdCents } from "./money.ts";

const MOST_CENTS = 1_000_000;
const UNIT = 100_000_000n; // cents times millionths, for one naira

/** Round rates, long ones, ones just beside a whole number, and the smallest and largest that are accepted. */
const RATES = [
  ...[
    "1600",
    "1534.25",
    "1599.999999",
    "1600.000001",
    "1",
    "0.01",
    "0.000001",
    "99999.999999",
    "1333.333333",
    "1666.666667",
  ],
  ...Array.from({ length: 40 }, (_, i) => `${1200 + i * 20}.${String((i * 104_729) % 1_000_000).padStart(6, "0")}`),
];

test.each(RATES)(
  "F22 at %s naira every sum up to 10,000 dollars is charged to the naira, against whole numbers alone",
  {
    timeout: 600_000,
  },
  (text) => {
    const rate = parseRate(text) as Rate;
    let exact = 0n; // grows by the rate with each cent
    let covered = 0n; // the whole naira that cover `exact`, in the same unit
    let wrong = 0;
    for (let cents = 0; cents <= MOST_CENTS; cents++) {
      while (covered < exact) covered += UNIT * ((exact - covered - 1n) / UNIT + 1n);
      if (chargeInKobo(usdCents(cents), rate) !== Number(covered / 1_000_000n)) wrong++;
      exact += rate;
    }
    expect(wrong).toBe(0);
  },
);
