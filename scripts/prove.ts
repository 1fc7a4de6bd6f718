import { buildIfChanged } from "./build.ts";

// `npm run prove`: minutes of buyers, kills and a provider that lies, drawn live on a page, and then the books of both
// sides (tests/prove/main.ts). --minutes N: its length. --port N: where the page is. --seed N: repeats a run's chances.

process.env.LOG_LEVEL ??= "silent"; // otherwise every deliberate failure is logged
await buildIfChanged();
await import("../tests/prove/main.ts");
