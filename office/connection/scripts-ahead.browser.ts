import { useEffect, useRef } from "react";
import { type Location, useBlocker, useLocation, useNavigate } from "react-router";
import type { Granted } from "#app/staff/roles.ts";
import { savesData } from "#app/ui/saves-data.browser.ts";
import { firstInMenu } from "../frame/places.ts";
import { noteAway } from "./away.browser.ts";
import { fetchScripts, hasScripts, isScreen, noteScripts } from "./screen-scripts.browser.ts";

/** The delay lets the first screen load before the scripts of others. */
const AFTER = 2_000; // ms

/** Fetches the scripts of the menu's first screens one after the other, so that these screens open without a wait. */
export function useScriptsAhead(role: Granted | undefined): void {
  const places = role && firstInMenu(role).map(({ to }) => to);
  const first = places?.join(" ");
  useEffect(() => {
    if (!first || savesData()) return;
    const fetchInTurn = async () => {
      for (const to of first.split(" ")) await fetchScripts(to, "low");
    };
    const timer = setTimeout(() => void fetchInTurn(), AFTER);
    return () => clearTimeout(timer);
  }, [first]);
}

/** Fetches the script of a route that the open screen will request, in case the connection is lost later. */
export function useScriptsFor(pathname: string): void {
  useEffect(() => void fetchScripts(pathname), [pathname]);
}

/**
 * Blocks a navigation until the scripts of the next screen are loaded. If a script cannot be loaded, the router would
 * reload the document, and unsaved input would be lost. Returns whether a navigation is blocked.
 */
export function useScriptsFirst(): boolean {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  /** The location of the blocked navigation. A later navigation replaces it. */
  const wanted = useRef<Location>(undefined);
  const blocker = useBlocker(({ nextLocation }) => {
    wanted.current = undefined;
    return !hasScripts(nextLocation.pathname);
  });
  useEffect(() => noteScripts(pathname), [pathname]);
  useEffect(() => {
    if (blocker.state === "blocked") {
      const { location, proceed, reset } = blocker;
      wanted.current = location;
      void fetchScripts(location.pathname).then((why) => {
        if (wanted.current !== location) return;
        if (why) {
          wanted.current = undefined;
          noteAway(why, location.pathname + location.search);
          return reset();
        }
        try {
          proceed();
          wanted.current = undefined;
        } catch {
          // The router has just dropped the blocked navigation. The next render runs this effect again.
        }
      });
      return;
    }
    // The router drops a blocked navigation when any response arrives, even the response to an earlier request.
    const forgotten = blocker.state === "unblocked" ? wanted.current : undefined;
    wanted.current = undefined;
    if (forgotten && isScreen(forgotten.pathname)) void navigate(forgotten, { state: forgotten.state });
  }, [blocker, navigate]);
  return blocker.state === "blocked";
}
