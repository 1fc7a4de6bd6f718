import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "app/**/*.test.{ts,tsx}",
      "sandbox/**/*.test.ts",
      "cli/**/*.test.ts",
      "tests/**/*.test.ts",
      "db/**/*.test.ts",
      "*.test.ts",
    ],
    globalSetup: "./tests/support/global-setup.ts",
    setupFiles: "./tests/support/setup.ts",
    env: { NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR: "./data/test" },
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes when it comes: a busy machine is no failure.
    expect: { poll: { timeout: 15_000 } },
  },
});
