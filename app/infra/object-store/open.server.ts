import { bucketStore } from "./bucket.server.ts";
import { folderStore } from "./folder.server.ts";
import type { StoreLocation } from "./location.ts";
import type { ObjectStore } from "./object-store.ts";

/** Opens the store without contacting it yet. */
export function openStore(location: StoreLocation): ObjectStore {
  return "folder" in location ? folderStore(location.folder) : bucketStore(location);
}
