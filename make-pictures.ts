import { constants, setPriority } from "node:os";
import { makeAllPictures } from "#app/catalog/pictures/renderings.server.ts";

// A separate program at low priority: encoding takes a CPU for minutes, and no visitor should notice. It ends when its
// standard input closes, as happens however the shop ends. It ignores signals, since a terminal's Ctrl-C reaches both
// programs.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
setPriority(constants.priority.PRIORITY_LOW);
process.stdin.on("end", () => process.exit(1)).resume();
await makeAllPictures();
process.exit();
