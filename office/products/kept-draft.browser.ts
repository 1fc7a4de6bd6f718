import { store } from "#app/infra/storage.browser.ts";
import { readDraft } from "../conflict/use-draft.browser.ts";

/** The name under which this device stores the draft of a product, or of a new one. */
export const draftName = (id = "new") => `irepo-office-product:${id}`;

/**
 * Deletes this device's draft of a new product after it was added with this key. A draft that was begun since then
 * stays.
 */
export function forgetAdded(key: string | null): void {
  if (readDraft(draftName())?.seen === key) store(draftName(), null);
}
