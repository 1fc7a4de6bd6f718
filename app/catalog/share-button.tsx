import * as messages from "#app/messages.ts";
import { ShareIcon } from "#app/ui/icons.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";

/** Hands a page's address on by the device's own sheet, or else copies it. Its place is kept until a script can do so. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  const hydrated = useHydrated();
  return (
    <button
      type="button"
      onClick={() => void share(title, url)}
      aria-label={`Share ${title}`}
      className={`grid size-11 shrink-0 place-items-center ${hydrated ? "" : "invisible"}`}
    >
      <ShareIcon />
    </button>
  );
}

async function share(title: string, url: string): Promise<void> {
  if ("share" in navigator && (await isShared({ title, url }))) return;
  try {
    await navigator.clipboard.writeText(url);
    toast.success(messages.share.copied);
  } catch (error) {
    console.debug("The browser does not let the link be copied", error);
    toast.error(messages.share.notCopied);
  }
}

/** Also true where the shopper has closed the sheet: nothing more is wanted then. */
async function isShared(what: ShareData): Promise<boolean> {
  try {
    await navigator.share(what);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError";
  }
}
