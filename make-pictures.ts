import { constants, setPriority } from "node:os";
import { makeAllPictures } from "#app/catalog/pictures/renderings.server.ts";

// A separate program at low priority: encoding takes a processor for minutes, and no visitor should notice. It ends with the shop in any
// case, when its standard input closes.
setPriority(constants.priority.PRIORITY_LOW);
process.stdin.on("end", () => process.exit(1)).resume();
await makeAllPictures();
process.exit();
