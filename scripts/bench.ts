import { bench } from "../bench/main.ts";
import { buildIfChanged } from "./build.ts";

await buildIfChanged();
process.exit(await bench(process.argv.slice(2)));
