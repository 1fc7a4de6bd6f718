import { readFileSync } from "node:fs";
import { defineConfig, mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import shop from "../../vitest.config.ts";

/** The first failing test ends the run of a mutant. So small files come first, and those that load all pages last. */
class CheapestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ moduleId }: TestSpecification) => {
      const text = readFileSync(moduleId, "utf8");
      return text.length * (text.includes("#app/routes/") ? 1000 : text.includes("useDatabase(") ? 10 : 1);
    };
    return files.toSorted((a, b) => cost(a) - cost(b));
  }
}

/** Tests that take seconds or minutes each, and check what shorter tests check as well. */
const LONG = ["app/payments/event-orders.test.ts", "app/money/every-cent.test.ts"];

export default mergeConfig(
  shop,
  defineConfig({
    test: {
      exclude: LONG,
      sequence: { sequencer: CheapestFirst },
      isolate: false, // half of the time went into new processes that loaded the same modules
      testTimeout: 20_000,
    },
  }),
);
