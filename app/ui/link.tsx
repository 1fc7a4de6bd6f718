import { type ComponentProps, useEffect, useState } from "react";
import { PrefetchPageLinks, useLocation, useNavigate } from "react-router";
import { savesData } from "./saves-data.browser.ts";

/**
 * `replace`: Back does not lead here again. `keepScroll`: the page stays where it is. `prefetch`: fetched as soon as somebody means to go there.
 * `reload`: what the server answers is no page of the shop.
 */
const WAYS = ["replace", "keepScroll", "prefetch", "reload"] as const;
type How = (typeof WAYS)[number];
export type LinkProps = Omit<ComponentProps<"a">, "href" | "target" | "download"> & { to: string } & {
  [how in How]?: boolean;
};

/**
 * A way to another page of the shop: a plain link to React, which has dozens of them to render and to hydrate; `FollowLinks` goes there without
 * loading the page anew. The router's own costs each time ten hooks.
 */
export function Link({ to, replace, keepScroll, prefetch, reload, ...rest }: LinkProps) {
  const ways = { replace, keepScroll, prefetch, reload };
  return <a {...rest} href={to} data-link={WAYS.filter((way) => ways[way]).join(" ")} />;
}

/** A link that says whether it leads to the page it stands on. */
export function NavLink({ to, ...rest }: LinkProps) {
  const here =
    useLocation()
      .pathname.toLowerCase()
      .replace(/(.)\/$/, "$1") === to.toLowerCase();
  return <Link {...rest} to={to} aria-current={here ? "page" : undefined} />;
}

const MEANT_AFTER = 100;

/** Follows every `Link` of the page; once in the page. */
export function FollowLinks() {
  const navigate = useNavigate();
  const here = useLocation();
  const [meant, setMeant] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has gone somewhere means that no more
  useEffect(() => setMeant(undefined), [here]);
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
      if (!link || hasWay(link, "reload") || event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      navigate(pathOf(link), {
        replace: hasWay(link, "replace") || link.href === location.href,
        preventScrollReset: hasWay(link, "keepScroll"),
      });
    });
    for (const type of ["pointerover", "focusin", "touchstart"] as const)
      on(type, (link) => {
        clearTimeout(timer);
        if (link && hasWay(link, "prefetch") && !savesData()) timer = setTimeout(setMeant, MEANT_AFTER, pathOf(link));
        else setMeant(undefined);
      });
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [navigate]);
  return meant && <PrefetchPageLinks key={meant} page={meant} />;
}

function linkAround(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-link]") : null;
  return link?.origin === location.origin ? link : null;
}

function pathOf({ pathname, search, hash }: HTMLAnchorElement): string {
  return pathname + search + hash;
}

function hasWay(link: HTMLAnchorElement, how: How): boolean {
  return link.dataset.link?.split(" ").includes(how) ?? false;
}
