import { buildIfChanged } from "./build.ts";

// `npm run soak`: an hour of everything that a shop lives through (tests/soak/main.ts). --minutes N: so long. --out FILE: where the chart goes. --record: keeps
// the figures in bench/figures.json. --seed N: the same shoppers again.

process.env.LOG_LEVEL ??= "silent"; // the database is lost on purpose
await buildIfChanged();
await import("../tests/soak/main.ts");
