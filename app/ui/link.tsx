import { type ComponentProps, useEffect, useState } from "react";
import { PrefetchPageLinks, type LinkProps as RouterLinkProps, useLocation, useNavigate } from "react-router";
import { savesData } from "./saves-data.browser.ts";

const OPTIONS = ["replace", "preventScrollReset", "reloadDocument", "prefetch"] as const;
type Option = (typeof OPTIONS)[number];

/** The router's own names. `prefetch` only when somebody is about to go there. */
export type LinkProps = Omit<ComponentProps<"a">, "href" | "target" | "download"> &
  Pick<RouterLinkProps, "replace" | "preventScrollReset" | "reloadDocument"> & { to: string; prefetch?: "intent" };

/**
 * A link to another page of the shop, which `FollowLinks` follows without loading the page anew. The router's own link has ten hooks: fifty of them
 * take 0.2 ms more of the processor to render, a twelfth of the home page, and are hydrated one by one.
 */
export function Link({ to, replace, preventScrollReset, reloadDocument, prefetch, ...rest }: LinkProps) {
  const options = { replace, preventScrollReset, reloadDocument, prefetch };
  return <a {...rest} href={to} data-link={OPTIONS.filter((option) => options[option]).join(" ")} />;
}

/** A link that says whether it leads to the page it stands on. */
export function NavLink({ to, ...rest }: LinkProps) {
  const here =
    useLocation()
      .pathname.toLowerCase()
      .replace(/(.)\/$/, "$1") === to.toLowerCase();
  return <Link {...rest} to={to} aria-current={here ? "page" : undefined} />;
}

/** In ms: who only passes over a link does not mean it. */
const PREFETCH_AFTER = 100;

/** Follows every `Link` of the page; once in the page. */
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
