import { type ComponentProps, useEffect, useState } from "react";
import { PrefetchPageLinks, type LinkProps as RouterLinkProps, useLocation, useNavigate } from "react-router";
import { savesData } from "./saves-data.browser.ts";

const OPTIONS = ["replace", "preventScrollReset", "reloadDocument", "prefetch"] as const;
type Option = (typeof OPTIONS)[number];

/** The options have the router's names. `prefetch` applies only when the visitor is likely to follow the link. */
export type LinkProps = Omit<ComponentProps<"a">, "href" | "target" | "download"> &
  Pick<RouterLinkProps, "replace" | "preventScrollReset" | "reloadDocument"> & { to: string; prefetch?: "intent" };

/**
 * A link to another page of the shop, which `FollowLinks` follows without a page load. The router's own link uses ten
 * hooks: fifty such links take 0.2 ms more processor time to render, a twelfth of the home page, and each has to be
 * hydrated.
 */
export function Link({ to, replace, preventScrollReset, reloadDocument, prefetch, ...rest }: LinkProps) {
  const options = { replace, preventScrollReset, reloadDocument, prefetch };
  return <a {...rest} href={to} data-link={OPTIONS.filter((option) => options[option]).join(" ")} />;
}

/** A link that is marked if it leads to the current page. */
export function NavLink({ to, ...rest }: LinkProps) {
  const here =
    useLocation()
      .pathname.toLowerCase()
      .replace(/(.)\/$/, "$1") === to.toLowerCase();
  return <Link {...rest} to={to} aria-current={here ? "page" : undefined} />;
}

/** In ms. Passing over a link with the pointer does not count as an intent. */
const PREFETCH_AFTER = 100;

/** Handles the clicks on every `Link` of the page. Rendered once per page. */
export function FollowLinks() {
  const navigate = useNavigate();
  const here = useLocation();
  const [prefetched, setPrefetched] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once somebody has gone there it is no longer ahead
  useEffect(() => setPrefetched(undefined), [here]);
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const on = <K extends keyof DocumentEventMap>(
      type: K,
      then: (link: HTMLAnchorElement | null, event: DocumentEventMap[K]) => void,
    ) =>
      document.addEventListener(type, (event) => then(linkAround(event.target), event), {
        signal: gone.signal,
        passive: type === "touchstart",
      });
    on("click", (link, event) => {
      if (!link || has(link, "reloadDocument") || event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      // The page /Cart is never cached. Offline it has to be loaded, so that the service worker can show the browser's
      // copy of the cart.
      if (!navigator.onLine && navigator.serviceWorker?.controller && link.pathname === "/Cart") return;
      event.preventDefault();
      navigate(pathOf(link), {
        replace: has(link, "replace") || link.href === location.href,
        preventScrollReset: has(link, "preventScrollReset"),
      });
    });
    for (const type of ["pointerover", "focusin", "touchstart"] as const)
      on(type, (link) => {
        clearTimeout(timer);
        if (link && has(link, "prefetch") && !savesData())
          timer = setTimeout(setPrefetched, PREFETCH_AFTER, pathOf(link));
        else setPrefetched(undefined);
      });
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [navigate]);
  return prefetched && <PrefetchPageLinks key={prefetched} page={prefetched} />;
}

function linkAround(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-link]") : null;
  return link?.origin === location.origin ? link : null;
}

function pathOf({ pathname, search, hash }: HTMLAnchorElement): string {
  return pathname + search + hash;
}

function has(link: HTMLAnchorElement, option: Option): boolean {
  return link.dataset.link?.split(" ").includes(option) ?? false;
}
