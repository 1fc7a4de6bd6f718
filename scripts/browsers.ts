import { browserSteps } from "./browser-steps.ts";
import { buildIfChanged } from "./build.ts";
import { BROWSERS, ensurePrograms } from "./debian-packages.ts";
import { play } from "./steps.ts";

// `npm run test:browsers`: a shopper's journeys in Debian's Firefox, WebKit, Lynx and w3m, which are installed where
// they are missing and this user may. Words after `--` go to Vitest.

await ensurePrograms(BROWSERS);
await buildIfChanged();
process.exit(await play(browserSteps(process.argv.slice(2))));
