import * as messages from "#app/messages.ts";
import { copyText } from "#app/ui/copy-text.browser.ts";
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
  if (await copyText(url)) toast.success(messages.share.copied);
  else toast.error(messages.share.notCopied);
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
