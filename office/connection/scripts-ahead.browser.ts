import { useEffect, useRef } from "react";
import { type Location, useBlocker, useLocation, useNavigate } from "react-router";
import type { Granted } from "#app/staff/roles.ts";
import { savesData } from "#app/ui/saves-data.browser.ts";
import { firstInMenu } from "../frame/places.ts";
import { noteAway } from "./away.browser.ts";
import { fetchScripts, hasScripts, isScreen, noteScripts } from "./screen-scripts.browser.ts";

/** The first screen comes before all others. */
const AFTER = 2_000; // ms

/** Fetches the scripts of the menu's first screens, one screen after the other: they open without a wait. */
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

/** Fetches the script of what a screen asks at this path while it is open, before the connection may go. */
export function useScriptsFor(pathname: string): void {
  useEffect(() => void fetchScripts(pathname), [pathname]);
}

/**
 * Holds the router back until the scripts of the screen that is to be opened have come: where it cannot get one, it
 * loads the document anew, and what is typed in the open screen would be gone. Says whether it holds the router back.
 */
export function useScriptsFirst(): boolean {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  /** The screen that waits for its scripts. Whatever is pressed after it takes its place. */
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
          // The router has just forgotten what is blocked. This effect learns of that with the next rendering.
        }
      });
      return;
    }
    // The router forgets what is blocked as soon as any answer comes, also to what was pressed earlier.
    const forgotten = blocker.state === "unblocked" ? wanted.current : undefined;
    wanted.current = undefined;
    if (forgotten && isScreen(forgotten.pathname)) void navigate(forgotten, { state: forgotten.state });
  }, [blocker, navigate]);
  return blocker.state === "blocked";
}
