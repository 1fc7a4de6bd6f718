/**
 * What generated cases begin with. It is fixed, so that a commit is tested in the same way wherever and whenever that is;
 * FUZZ_SEED repeats another run, and `npm run fuzz` draws one each time.
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_101);
