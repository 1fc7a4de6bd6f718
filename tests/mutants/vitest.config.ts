import { readFileSync } from "node:fs";
import { defineConfig, mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import shop from "../../vitest.config.ts";

/** The first test that fails ends the run for a mutant: the smaller files come first, and last those that load all pages. */
class CheapestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ moduleId }: TestSpecification) => {
      const text = readFileSync(moduleId, "utf8");
      return text.length * (text.includes("#app/routes/") ? 1000 : text.includes("useDatabase(") ? 10 : 1);
    };
    return files.toSorted((a, b) => cost(a) - cost(b));
  }
}

/** They take seconds or minutes each, and say again what shorter ones say. */
const LONG = ["app/payments/event-orders.test.ts", "app/money/every-cent.test.ts"];

export default mergeConfig(
  shop,
  defineConfig({
    test: {
      exclude: LONG,
      sequence: { sequencer: CheapestFirst },
      isolate: false, // half of the time was new processes that loaded the same modules
      testTimeout: 20_000,
    },
  }),
);
