process.env.LOG_LEVEL ??= "silent"; // everything that is lost on purpose would be logged
await import("../tests/chaos/main.ts");

export {};
