/**
 * The seed of generated cases. It is fixed, so that a commit is tested in the same way everywhere. FUZZ_SEED repeats
 * another run, and `npm run fuzz` chooses a new seed each time.
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_101);
