import { seeded } from "../chaos/random.ts";
import { SEED } from "./seed.ts";

const { random } = seeded(SEED);

/**
 * A UUID for a test's row, the same in each run: rows are sorted and locked by their ids, so other ids are another test.
 */
export function newId(): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join("");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}
