import { buildIfChanged } from "./build.ts";

// `npm run soak`: an hour of everything that happens to a shop (tests/soak/main.ts). --minutes N: its length. --out
// FILE: the chart's file. --record: keeps the figures in bench/figures.json. --seed N: repeats the shoppers of a run.

process.env.LOG_LEVEL ??= "silent"; // otherwise the loss of the database, which is deliberate, is logged
await buildIfChanged();
await import("../tests/soak/main.ts");
