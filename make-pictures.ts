import { constants, setPriority } from "node:os";
import { makeAllPictures } from "#app/catalog/pictures/renderings.server.ts";

// A program of its own, behind everything else: encoding takes a processor for minutes, and no visitor should notice. It ends with the shop,
// however that ends: then its standard input does.
setPriority(constants.priority.PRIORITY_LOW);
process.stdin.on("end", () => process.exit(1)).resume();
await makeAllPictures();
process.exit();
