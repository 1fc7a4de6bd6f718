// `npm run test:all`: all steps of scripts/test.ts.
process.argv.push("--all");
await import("./test.ts");

export {};
