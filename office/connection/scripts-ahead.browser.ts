import { useContext, useEffect } from "react";
import { UNSAFE_FrameworkContext as FrameworkContext } from "react-router";
import { savesData } from "#app/ui/saves-data.browser.ts";

/** The first screen comes before all others. */
const AFTER = 2_000; // ms

/**
 * Fetches the scripts of the other screens into the browser's cache, one after the other: where a screen's script cannot be had, the router loads the document
 * anew, and without a connection what is typed in the open one would be gone.
 */
export function useScriptsAhead(): void {
  const manifest = useContext(FrameworkContext)?.manifest;
  useEffect(() => {
    if (!manifest || savesData()) return;
    const timer = setTimeout(() => void fetchAll(scriptsOf(manifest)), AFTER);
    return () => clearTimeout(timer);
  }, [manifest]);
}

type Manifest = NonNullable<React.ContextType<typeof FrameworkContext>>["manifest"];

function scriptsOf({ routes }: Manifest): Set<string> {
  const scripts = Object.values(routes).flatMap((route) =>
    route ? [route.module, route.clientActionModule, route.clientLoaderModule, ...(route.imports ?? [])] : [],
  );
  return new Set(scripts.filter((one) => one !== undefined));
}

async function fetchAll(scripts: Set<string>): Promise<void> {
  for (const one of scripts) {
    const answer = await fetch(one, { priority: "low" }).catch(() => undefined);
    await answer?.blob();
  }
}
