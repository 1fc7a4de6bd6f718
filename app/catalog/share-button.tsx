import * as messages from "#app/messages.ts";
import { ShareIcon } from "#app/ui/icons.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";

/**
 * Shares the page's URL with the device's share sheet, or else copies it. Invisible until JavaScript runs, but its
 * space is reserved.
 */
export function ShareButton({ title, url }: { title: string; url: string }) {
  const hydrated = useHydrated();
  return (
    <button
      type="button"
      onClick={() => void share(title, url)}
      className={`grid size-11 shrink-0 place-items-center ${hydrated ? "" : "invisible"}`}
    >
      <ShareIcon />
      <span className="sr-only">Share {title}</span>
    </button>
  );
}

async function share(title: string, url: string): Promise<void> {
  if ("share" in navigator && (await isShared({ title, url }))) return;
  try {
    await navigator.clipboard.writeText(url);
    toast.success(messages.share.copied);
  } catch (error) {
    console.debug("The browser doesn’t allow copying the link", error);
    toast.error(messages.share.notCopied);
  }
}

/** Also true if the shopper has closed the share sheet, because then the URL must not be copied. */
async function isShared(what: ShareData): Promise<boolean> {
  try {
    await navigator.share(what);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError";
  }
}
