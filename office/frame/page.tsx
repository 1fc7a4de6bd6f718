import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { useBrand } from "#app/brand/context.tsx";
import { BackIcon } from "#app/ui/icons.tsx";

/** Each screen's query when the document last showed it. Only effects fill the map: on the server it stays empty. */
const lastSearch = new Map<string, string>();

/**
 * The header and contents of a screen. On arrival the title gets the focus, so that screen readers and the keyboard
 * start there.
 */
export function Page({
  title,
  open,
  about,
  back,
  actions,
  children,
}: {
  title: string;
  /** The number of open tasks on the screen, shown at the beginning of the window's title. */
  open?: number;
  about?: ReactNode;
  /** A back link, shown on phones. It leads to the screen as it was left, such as a list with its filters. */
  back?: { to: string; title: string };
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { name } = useBrand();
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname, search } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on each new screen, also of the same kind
  useEffect(() => {
    if (!heading.current?.closest("main")?.contains(document.activeElement))
      heading.current?.focus({ preventScroll: true });
  }, [pathname]);
  useEffect(() => {
    lastSearch.set(pathname, search);
  }, [pathname, search]);
  return (
    <>
      <title>{`${open ? `(${open}) ` : ""}${title} · ${name} office`}</title>
      <header className="sticky top-0 z-10 -mx-4 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-b border-hairline bg-paper px-4 py-1.5 lg:mx-0 lg:min-h-18 lg:px-0 lg:py-3 print:hidden">
        {back && (
          <Link
            to={back.to + (lastSearch.get(back.to) ?? "")}
            state={{ isWayBack: true }}
            className="-ml-3 grid size-11 flex-none place-items-center lg:hidden"
          >
            <BackIcon className="size-6" />
            <span className="sr-only">{back.title}</span>
          </Link>
        )}
        <div className="min-w-[60%] flex-1 lg:min-w-0">
          <h1 ref={heading} tabIndex={-1} className="truncate outline-none">
            {title}
          </h1>
          {about && <Hint>{about}</Hint>}
        </div>
        {actions}
      </header>
      {children}
    </>
  );
}

export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-7">
      <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-4">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A list of terms (`dt`) with their descriptions (`dd`) beside them. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[5.75rem_minmax(0,1fr)] gap-x-3 gap-y-3 wrap-anywhere lg:gap-y-1.5 [&_dt]:text-muted">
      {children}
    </dl>
  );
}

/** A small line beside what it explains. */
export function Hint({ className, children }: { className?: string; children: ReactNode }) {
  return <p className={["text-[0.8125rem] leading-4.5 text-muted", className].filter(Boolean).join(" ")}>{children}</p>;
}
