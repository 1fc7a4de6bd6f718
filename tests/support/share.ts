/**
 * `npm test` runs only every tenth case of a slow test (TEST_SHARE=tenth, set by scripts/test.ts), always the same
 * ones. `npm run test:all` runs all cases.
 */
const EVERY = process.env.TEST_SHARE === "tenth" ? 10 : 1;

export function share<Case>(cases: readonly Case[]): Case[] {
  return cases.filter((_, at) => at % EVERY === 0);
}

/** The number of cases to generate, if `npm run test:all` generates `cases`. */
export const shareOf = (cases: number): number => Math.ceil(cases / EVERY);
