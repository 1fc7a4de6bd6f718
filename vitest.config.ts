import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const ALL = [
  "app/**/*.test.{ts,tsx}",
  "sandbox/**/*.test.ts",
  "cli/**/*.test.ts",
  "office/**/*.test.ts",
  "scripts/**/*.test.ts",
  "tests/**/*.test.ts",
  "db/**/*.test.ts",
  "*.test.ts",
];

/**
 * The slowest test files, the slowest one first: they start first, so that the run does not end with one busy worker.
 */
const LONGEST = [
  "tests/chaos/model.test.ts",
  "tests/fuzz/requests.test.ts",
  "tests/e2e/screens.test.ts",
  "tests/e2e/rolling.test.ts",
  "tests/chaos/matrix.test.ts",
  "tests/e2e/screens-states.test.ts",
  "tests/e2e/office-orders.test.ts",
  "tests/e2e/office-products.test.ts",
  "tests/e2e/office-returns.test.ts",
  "tests/e2e/office-money.test.ts",
  "tests/e2e/office-stock.test.ts",
  "tests/e2e/office-sign-in.test.ts",
  "app/payments/event-orders.test.ts",
  "tests/e2e/screens-first-view.test.ts",
  "tests/e2e/screens-shop.test.ts",
  "tests/e2e/screens-spec.test.ts",
  "tests/e2e/screens-cart.test.ts",
  "tests/e2e/screens-session.test.ts",
  "tests/e2e/screens-checkout.test.ts",
  "tests/e2e/processes.test.ts",
  "tests/e2e/screens-product.test.ts",
  "tests/e2e/wallet.test.ts",
  "tests/e2e/screens-manners.test.ts",
  "tests/e2e/purchase.test.ts",
  "tests/e2e/operator.test.ts",
  "tests/postgres.test.ts",
  "tests/chaos/interleavings.test.ts",
  "tests/e2e/google.test.ts",
  "tests/chaos/guards.test.ts",
  "tests/e2e/accounts.test.ts",
  "tests/e2e/live.test.ts",
  "tests/e2e/security.test.ts",
  "tests/e2e/http.test.ts",
  "tests/e2e/instances.test.ts",
  "tests/e2e/kill.test.ts",
  "tests/e2e/screens-offline.test.ts",
  "tests/e2e/front-door.test.ts",
];

/** Tests that take minutes or hours each and need several of Debian's programs; only scripts/chaos.ts runs them. */
const ONLY_ASKED_FOR = ["alarms", "faults", "updates"].map((name) => `tests/machines/${name}.test.ts`);
const isAsked = Boolean(process.env.MACHINES || process.env.UPDATES);

/** The longest first, then by name: the same order in every run, whatever the runs before took. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      LONGEST.findIndex((name) => moduleId.endsWith(name)) + 1 || LONGEST.length + 1;
    return files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

const HOUSE = "tests/house/**/*.test.ts";
const JOURNEYS = "tests/e2e/**/*.test.ts";
const BROWSERS = "tests/browsers/*.test.ts";
const FIREFOX = "tests/browsers/firefox.test.ts";
/** Those of them that `npm test` plays: the purchase, with and without script and by keyboard, and the owner's day. */
const MAIN_JOURNEYS = ["purchase", "purchase-by-keyboard", "owners-day"].map((name) => `tests/e2e/${name}.test.ts`);
/**
 * The parts that scripts/test.ts runs one after another. Two journeys at a time: one keeps two processors busy (a
 * browser, two processes of the shop, PostgreSQL). Six files with 1, 2 and 3 workers took 452, 379 and 396 s.
 */
const GROUPS = {
  house: { include: [HOUSE], exclude: [], maxWorkers: 3 },
  "main-journeys": { include: MAIN_JOURNEYS, exclude: [], maxWorkers: 2 },
  "other-journeys": { include: [JOURNEYS], exclude: MAIN_JOURNEYS, maxWorkers: 2 },
  // One worker more than processors: these tests wait for answers, clocks and mails.
  rooms: { include: ALL, exclude: [HOUSE, JOURNEYS, BROWSERS], maxWorkers: 3 },
  firefox: { include: [FIREFOX, "tests/e2e/purchase.test.ts"], exclude: [], maxWorkers: 2 },
  browsers: { include: [BROWSERS], exclude: [FIREFOX], maxWorkers: 2 },
  all: { include: ALL, exclude: [BROWSERS], maxWorkers: 3 },
};
const group = GROUPS[(process.env.TEST_GROUP ?? "all") as keyof typeof GROUPS];

export default defineConfig({
  // The same JSX functions as in production: a process with NODE_ENV=production has no others.
  oxc: { jsx: { development: false } },
  test: {
    include: group.include,
    exclude: [...configDefaults.exclude, ...group.exclude, ...(isAsked ? [] : ONLY_ASKED_FOR)],
    sequence: { sequencer: LongestFirst },
    globalSetup: "./tests/support/global-setup.ts",
    setupFiles: "./tests/support/setup.ts",
    env: { NODE_ENV: "test", LOG_LEVEL: "silent" },
    maxWorkers: group.maxWorkers,
    testTimeout: 120_000,
    hookTimeout: 240_000, // a hook may open a shop, and wait for the file whose hook makes the first demo
    // A long timeout: a busy machine must not make a test fail.
    expect: { poll: { timeout: 30_000 } },
  },
});
