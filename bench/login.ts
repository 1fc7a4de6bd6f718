import { ask, type Figure, median, round } from "./measure.ts";
import { withShop } from "./shop.ts";

const PAIRS = 500;

/**
 * Measures whether the time of a refusal reveals that an account exists, by pairs of a known and an unknown address, in
 * turns.
 */
export function login(): Promise<Figure[]> {
  return withShop(async ({ url, sql }) => {
    const times = { known: [] as number[], unknown: [] as number[] };
    await ask(`${url}/register`, {
      form: { firstName: "Ada", lastName: "Obi", email: "known@example.com", password: "harmony" },
    });
    for (let pair = 0; pair < PAIRS; pair++) {
      const turns = pair % 2 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
      for (const who of turns) {
        const start = performance.now();
        const { status } = await ask(`${url}/login`, { form: { email: `${who}@example.com`, password: "wrong-one" } });
        times[who].push(performance.now() - start);
        if (status !== 400) throw new Error(`a wrong password was answered with ${status}`);
      }
      await sql("delete from rate_limits");
    }
    const [known, unknown] = [median(times.known), median(times.unknown)];
    return [
      { name: "wrong password, median", value: round(known), unit: "ms" },
      {
        name: "known against unknown, 500 pairs",
        value: round(Math.abs(known - unknown)),
        unit: "ms",
        bar: { max: 5 },
      },
    ];
  });
}
