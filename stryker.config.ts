import type { PartialStrykerOptions } from "@stryker-mutator/api/core";
import type { Ignorer } from "@stryker-mutator/api/ignore";
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";
import type { babel } from "@stryker-mutator/core";

// The settings of Stryker for `npm run mutants` (scripts/mutants.ts): docs/decisions/038.

/** Ignores log lines and the texts of errors: people read them, and no code depends on them. */
const wordsForPeople: Ignorer = {
  shouldIgnore(path) {
    const { node } = path as babel.NodePath;
    if (node.type === "NewExpression" && node.callee.type === "Identifier" && node.callee.name === "Error")
      return "the text of an error";
    const call = node.type === "ExpressionStatement" ? node.expression : node;
    const callee = call.type === "CallExpression" ? call.callee : undefined;
    const isLogged =
      callee?.type === "MemberExpression" && callee.object.type === "Identifier" && callee.object.name === "log";
    return isLogged ? "a line of the log" : undefined;
  },
};
export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, "words-for-people", wordsForPeople)];

export default {
  plugins: ["@stryker-mutator/vitest-runner", "./stryker.config.ts"],
  ignorers: ["words-for-people"],
  testRunner: "vitest",
  vitest: { configFile: "tests/mutants/vitest.config.ts", pool: "forks" },
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  incremental: true,
  tempDirName: "data/mutants/sandboxes",
  reporters: ["progress-append-only", "html"],
  ignorePatterns: ["/data", "/build", "/docs", "/bench", "/deploy", "/supply"],
  // Vitest strips types, and TypeScript 7 lacks the function by which Stryker rewrites a tsconfig.json.
  disableTypeChecks: false,
  tsconfigFile: "none",
  concurrency: 2,
  dryRunTimeoutMinutes: 30,
  timeoutMS: 20_000,
} satisfies PartialStrykerOptions;
