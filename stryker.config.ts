import type { PartialStrykerOptions } from "@stryker-mutator/api/core";
import type { Ignorer } from "@stryker-mutator/api/ignore";
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";
import type { babel } from "@stryker-mutator/core";

// What `npm run mutants` (scripts/mutants.ts) asks of Stryker: docs/decisions/038.

/** A line of the log and an error's text are for people: nothing decides by them. */
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
  // Vitest reads types away, and TypeScript 7 has not the function that Stryker rewrites a tsconfig.json with.
  disableTypeChecks: false,
  tsconfigFile: "none",
  concurrency: 2,
  dryRunTimeoutMinutes: 30,
  timeoutMS: 20_000,
} satisfies PartialStrykerOptions;
