/**
 * Of the cases of a slow test `npm test` runs every tenth (TEST_SHARE=tenth, set by scripts/test.ts), the same ones each
 * time; `npm run test:all` runs them all.
 */
const EVERY = process.env.TEST_SHARE === "tenth" ? 10 : 1;

export function share<Case>(cases: readonly Case[]): Case[] {
  return cases.filter((_, at) => at % EVERY === 0);
}

/** A number of generated cases. */
export const shareOf = (cases: number): number => Math.ceil(cases / EVERY);
