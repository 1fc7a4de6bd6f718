import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, Link, useLocation, useNavigation, useSearchParams, useSubmit } from "react-router";
import { CloseIcon } from "#app/ui/icons.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { Button, ButtonLink, PlainLink } from "./button.tsx";
import { DownloadIcon, SearchIcon } from "./icons.tsx";

/** The list's filters, including those of a navigation that is still loading. */
function useAskedParams(): URLSearchParams {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const { location: next, formMethod } = useNavigation();
  const isOnItsWay = next?.pathname === pathname && formMethod !== "POST";
  return isOnItsWay ? new URLSearchParams(next.search) : params;
}

/** Hidden inputs with all filters except `than`, for a form that sets the filters in `than`. */
export function OtherFilters({ than }: { than: string[] }) {
  const others = [...useAskedParams()].filter(([name]) => ![...than, "before", "after"].includes(name));
  return others.map(([name, value]) => <input key={`${name}=${value}`} type="hidden" name={name} value={value} />);
}

/** URL parameters that do not filter the list. */
const NO_FILTERS = ["view", "sort", "days"];

/** URLs of the list with other filters. They start at the first page. */
export function useFilters() {
  const params = useAskedParams();
  const without = (...names: string[]) => {
    const next = new URLSearchParams(params);
    for (const name of [...names, "before", "after"]) next.delete(name);
    return next;
  };
  return {
    get: (name: string) => params.get(name) ?? "",
    /** The names of the parameters that filter the list or choose its page. */
    narrowing: [...params].flatMap(([name, value]) => (value && !NO_FILTERS.includes(name) ? name : [])),
    /** The query of the filtered list, without its page. */
    query: `?${without()}`,
    /** The URL with this filter set. An empty value removes the filter. */
    to(name: string | string[], value: string): string {
      const names = [name].flat();
      const next = without(...names);
      if (value) for (const one of names) next.set(one, value);
      return `?${next}`;
    },
  };
}

/** Tabs above a list, for its views. */
export function Views({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav
      ref={keepCurrentInSight}
      aria-label={label}
      className="-mx-4 overflow-x-auto border-b border-hairline px-4 no-scrollbar lg:mx-0 lg:px-0"
    >
      <div className="flex w-max gap-5 lg:gap-6">{children}</div>
    </nav>
  );
}

/**
 * Scrolls the row of tabs so that the current one is visible, which matters on phones. Again whenever the row's width
 * changes, by its font, counts or saved views, but not after the user has scrolled it.
 */
function keepCurrentInSight(nav: HTMLElement): () => void {
  const show = () => {
    const current = nav.querySelector("[aria-current]");
    if (current)
      nav.scrollLeft += Math.max(0, current.getBoundingClientRect().right - nav.getBoundingClientRect().right);
  };
  const observer = new ResizeObserver(show);
  for (const element of [nav, ...nav.children]) observer.observe(element);
  const moved = new AbortController();
  const end = () => {
    observer.disconnect();
    moved.abort();
  };
  for (const type of ["pointerdown", "wheel", "focusin"])
    nav.addEventListener(type, end, { signal: moved.signal, passive: true });
  return end;
}

/** Tabs for the views of a list. A URL without a view shows `first`. Each view starts without filters. */
export function ListViews({
  names,
  first,
  current,
  counts,
  children,
}: {
  names: Record<string, string>;
  first: string;
  current: string;
  counts: Record<string, number | undefined>;
  children?: ReactNode;
}) {
  return (
    <Views label="Views">
      {Object.entries(names).map(([name, title]) => (
        <View key={name} to={name === first ? "?" : `?view=${name}`} current={current === name} count={counts[name]}>
          {title}
        </View>
      ))}
      {children}
    </Views>
  );
}

export function View({
  to,
  current,
  count,
  children,
}: {
  to: string;
  current: boolean;
  count?: number;
  children: ReactNode;
}) {
  return (
    <Link
      to={to}
      aria-current={current ? "page" : undefined}
      className="inline-flex min-h-11 min-w-11 flex-none items-center justify-center gap-1.5 border-b-2 border-transparent font-medium text-muted hover:text-ink aria-[current]:border-ink aria-[current]:text-ink lg:min-h-10"
    >
      {children} {count !== undefined && count > 0 && <span className="tabular-nums">{count}</span>}{" "}
    </Link>
  );
}

const TYPING_PAUSE = 250; // ms

/** Searches while typing and on Enter, and keeps the other filters. Without JavaScript it is a plain form. */
export function Search({ label, name = "q" }: { label: string; name?: string }) {
  const [params] = useSearchParams();
  const shown = params.get(name) ?? "";
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  const isLeaving = next !== undefined && next.pathname !== pathname;
  const search = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    void submit(form, { replace: true });
  };
  useEarlyInput(form, () => form.current && search(form.current));
  // A delayed search must not replace a navigation to another screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: clears the timer when the navigation begins
  useEffect(() => () => clearTimeout(timer.current), [isLeaving]);
  useEffect(() => {
    const input = field.current;
    if (input && input !== document.activeElement) input.value = shown; // the filter was removed elsewhere
  }, [shown]);
  const busy = next?.search.includes(`${name}=`);
  return (
    <Form
      ref={form}
      role="search"
      className="relative min-w-0 flex-auto lg:max-w-80"
      onChange={({ currentTarget }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(search, TYPING_PAUSE, currentTarget);
      }}
      onBlur={({ currentTarget }) => timer.current !== undefined && search(currentTarget)}
    >
      <OtherFilters than={[name]} />
      <SearchIcon className="absolute top-1/2 left-2.5 size-5 -translate-y-1/2 text-muted" />
      <input
        ref={field}
        type="search"
        name={name}
        defaultValue={shown}
        aria-label={label}
        aria-busy={busy || undefined}
        placeholder={label}
        className="min-h-11 w-full rounded-cut border border-field bg-white py-1.5 pr-3 pl-9.5 text-base placeholder:text-muted lg:min-h-9 lg:text-sm"
      />
    </Form>
  );
}

/** An active filter, as a link that removes it. */
export function SetFilter({ names, children }: { names: string[]; children: ReactNode }) {
  const filters = useFilters();
  return (
    <Link
      to={filters.to(names, "")}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-cut bg-linen px-3 font-medium whitespace-nowrap lg:min-h-9"
    >
      <span className="sr-only">Without </span>
      {children} <CloseIcon className="size-4" />
    </Link>
  );
}

/** A select box for a filter, applied at once. */
export function SelectFilter({
  name,
  label,
  options,
}: {
  name: string;
  label: string;
  /** The filter's values, with their names. */
  options: Readonly<Record<string, string>>;
}) {
  const asked = useAskedParams().get(name) ?? "";
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLSelectElement>(null);
  useEarlyInput(form, () => void submit(form.current, { replace: true }));
  useEffect(() => {
    if (field.current) field.current.value = asked; // the filter was removed elsewhere
  }, [asked]);
  return (
    <Form ref={form} onChange={({ currentTarget }) => void submit(currentTarget, { replace: true })} className="flex">
      <OtherFilters than={[name]} />
      <select
        ref={field}
        name={name}
        defaultValue={asked}
        aria-label={label}
        className="min-h-11 rounded-cut border border-field bg-white px-3 font-medium lg:min-h-9"
      >
        <option value="">{label}</option>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <noscript>
        <button type="submit">Show</button>
      </noscript>
    </Form>
  );
}

/** A select box for the order of rows by time. */
export function TimeSort() {
  return <SelectFilter name="sort" label="Newest first" options={{ oldest: "Oldest first" }} />;
}

/**
 * The search field of a list beside its filters, which a button unfolds on phones. The links of a customer's page set
 * the filter for that customer.
 */
export function Filters({ search, children }: { search: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const filters = useFilters();
  const set = filters.narrowing.filter((name) => !["q", "before", "after"].includes(name));
  return (
    <div className="flex flex-wrap gap-2 py-3">
      <Search label={search} />
      <Button
        type="button"
        look="line"
        className="bg-white lg:hidden"
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        Filter {set.length > 0 && <span className="tabular-nums">{set.length}</span>}
      </Button>
      <div className={`w-full flex-wrap gap-2 lg:flex lg:w-auto ${isOpen ? "flex" : "hidden"}`}>
        {filters.get("customer") && <SetFilter names={["customer"]}>One customer</SetFilter>}
        {children}
      </div>
    </div>
  );
}

/** A link to the filtered list as a file, with all of its pages. */
export function ExportLink({ to }: { to: string }) {
  return (
    <PlainLink href={to + useFilters().query} download>
      <DownloadIcon className="size-5" />
      Export
    </PlainLink>
  );
}

/** The rows of a list. If there are none, the reason stands in their place, with a link to all rows. */
export function List({
  rows,
  one,
  nothing,
  all,
  isAll = true,
  children,
}: {
  rows: readonly unknown[];
  /** The noun for a row, such as "order". */
  one: string;
  /** The reason why the list is empty without any filter. */
  nothing: ReactNode;
  /** The URL of the list without filters. */
  all: string;
  /** Whether the view shows all rows. */
  isAll?: boolean;
  children: ReactNode;
}) {
  const isNarrowed = useFilters().narrowing.length > 0;
  if (rows.length > 0) return children;
  return (
    <div className="grid justify-items-start gap-3 py-6">
      <p className="text-muted">{isNarrowed ? `No ${one} fits.` : nothing}</p>
      {(isNarrowed || !isAll) && (
        <ButtonLink look="line" to={all}>
          {`See all ${one}s`}
        </ButtonLink>
      )}
    </div>
  );
}

/**
 * Links to the previous and next page. The URLs contain a cursor, not a page number, so that all pages load equally
 * fast.
 */
export function Pager({
  about,
  newer,
  older,
  names,
}: {
  about: ReactNode;
  newer?: string;
  older?: string;
  /** The links' texts, if the rows are not in order of time. */
  names?: [string, string];
}) {
  const filters = useFilters();
  const [toNewer, toOlder] = names ?? (filters.get("sort") === "oldest" ? ["Older", "Newer"] : ["Newer", "Older"]);
  const link = "inline-flex min-h-11 items-center text-ink underline-offset-3 hover:underline";
  return (
    <div className="flex items-center justify-between gap-3 pt-3 text-muted">
      <span className="tabular-nums">{about}</span>{" "}
      <span className="flex gap-5">
        {newer && (
          <Link className={link} to={filters.to("after", newer)}>
            {toNewer}
          </Link>
        )}{" "}
        {older && (
          <Link className={link} to={filters.to("before", older)}>
            {toOlder}
          </Link>
        )}
      </span>
    </div>
  );
}
