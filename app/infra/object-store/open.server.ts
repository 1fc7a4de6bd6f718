import { bucketStore } from "./bucket.server.ts";
import { folderStore } from "./folder.server.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Place } from "./place.ts";

/** Nothing is asked of the place yet. */
export function openStore(place: Place): ObjectStore {
  return "folder" in place ? folderStore(place.folder) : bucketStore(place);
}
