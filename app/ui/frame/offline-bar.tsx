import { useContext, useEffect, useState } from "react";
import { BrandContext } from "#app/brand/context.tsx";

/** A message that the browser is offline. Also starts the service worker, which keeps visited pages (public/sw.js). */
export function OfflineBar() {
  const words = Object.values(useContext(BrandContext) ?? {}).join(" ");
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    const look = () => setOffline(!navigator.onLine);
    look();
    addEventListener("online", look, gone);
    addEventListener("offline", look, gone);
    if (import.meta.env.PROD) startServiceWorker(setOffline, gone.signal, words);
    return () => gone.abort();
  }, [words]);
  return (
    <p
      role="status"
      className={
        offline
          ? "fixed inset-x-0 bottom-14 foot-bar:bottom-32 z-40 bg-cocoa px-4 py-3 text-center text-sm font-semibold text-paper lg:bottom-0 print:hidden"
          : "sr-only"
      }
    >
      {offline && "You’re offline. What you’ve visited can still be read, and your cart waits."}
    </p>
  );
}

/** The build's version. Undefined until the router has loaded its manifest. */
function buildVersion(): unknown {
  const manifest: unknown = Reflect.get(window, "__reactRouterManifest");
  return typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "version") : undefined;
}

/** `words`: the owner's words about the shop. If they change, the service worker drops its cached pages. */
function startServiceWorker(setOffline: (offline: boolean) => void, signal: AbortSignal, words: string): void {
  const version = buildVersion();
  // Service workers do not exist on plain HTTP.
  if (!("serviceWorker" in navigator) || typeof version !== "string") return;
  const container = navigator.serviceWorker;
  container.addEventListener("message", ({ data }) => setOffline(Boolean(data.offline)), { signal });
  container.startMessages();
  // Without a service worker the shop still works, but not offline.
  void container.register(`/sw.js?v=${encodeURIComponent(`${version} ${words}`.trim())}`).catch(() => undefined);
}
