import * as messages from "#app/messages.ts";
import { toast } from "./toaster.tsx";

/** Copies a URL, and says in a toast whether the browser allowed it. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    toast.success(messages.share.copied);
  } catch (error) {
    console.debug("The browser doesn’t allow copying the link", error);
    toast.error(messages.share.notCopied);
  }
}
