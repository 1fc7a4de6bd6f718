import { type ReactNode, useEffect, useRef } from "react";
import { Form, Link, useLocation, useNavigation, useSearchParams, useSubmit } from "react-router";
import { CloseIcon } from "#app/ui/icons.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { SearchIcon } from "./icons.tsx";

/** The list's filters, with those that have been set and whose rows are still on their way. */
function useAskedParams(): URLSearchParams {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const { location: next, formMethod } = useNavigation();
  const isOnItsWay = next?.pathname === pathname && formMethod !== "POST";
  return isOnItsWay ? new URLSearchParams(next.search) : params;
}

/** All filters but these, for a form that sets these. */
export function OtherFilters({ than }: { than: string[] }) {
  const others = [...useAskedParams()].filter(([name]) => ![...than, "before", "after"].includes(name));
  return others.map(([name, value]) => <input key={`${name}=${value}`} type="hidden" name={name} value={value} />);
}

/** The address with other filters; the page begins anew. */
export function useFilters() {
  const params = useAskedParams();
  const without = (...names: string[]) => {
    const next = new URLSearchParams(params);
    for (const name of [...names, "before", "after"]) next.delete(name);
    return next;
  };
  return {
    get: (name: string) => params.get(name) ?? "",
    /** A link's address with this filter set; an empty value takes it away. */
    to(name: string | string[], value: string): string {
      const names = [name].flat();
      const next = without(...names);
      if (value) for (const one of names) next.set(one, value);
      return `?${next}`;
    },
  };
}

/** Tabs over a list: saved ways of looking at it. */
export function Views({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav
      ref={showCurrent}
      aria-label={label}
      className="-mx-4 flex gap-5 overflow-x-auto border-b border-hairline px-4 no-scrollbar lg:mx-0 lg:gap-6 lg:px-0"
    >
      {children}
    </nav>
  );
}

/** On a phone the view that is shown may be beyond the edge; one in sight stays where it is. */
function showCurrent(nav: HTMLElement | null): void {
  const current = nav?.querySelector("[aria-current]");
  if (!nav || !current) return;
  nav.scrollLeft += Math.max(0, current.getBoundingClientRect().right - nav.getBoundingClientRect().right);
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
      {children}
      {count !== undefined && count > 0 && <span className="tabular-nums">{count}</span>}
    </Link>
  );
}

const TYPING_PAUSE = 250; // ms

/** Searches as somebody types, and on Enter; the other filters stay. Without script it is a form. */
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
  // A search that still waits would bring the list back in place of what was pressed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ends when that begins
  useEffect(() => () => clearTimeout(timer.current), [isLeaving]);
  useEffect(() => {
    const input = field.current;
    if (input && input !== document.activeElement) input.value = shown; // taken away elsewhere
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

/** A filter that is set; pressing it takes it away. */
export function SetFilter({ names, children }: { names: string[]; children: ReactNode }) {
  const filters = useFilters();
  return (
    <Link
      to={filters.to(names, "")}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-cut bg-linen px-3 font-medium whitespace-nowrap lg:min-h-9"
    >
      <span className="sr-only">Without </span>
      {children}
      <CloseIcon className="size-4" />
    </Link>
  );
}

/** A choice among a few, which takes effect at once. */
export function SelectFilter({
  name,
  label,
  options,
}: {
  name: string;
  label: string;
  options: { value: string; name: string }[];
}) {
  const asked = useAskedParams().get(name) ?? "";
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLSelectElement>(null);
  useEarlyInput(form, () => void submit(form.current, { replace: true }));
  useEffect(() => {
    if (field.current) field.current.value = asked; // taken away elsewhere
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
        {options.map(({ value, name: text }) => (
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

/** Whether the newest or the oldest rows come first. */
export function TimeSort() {
  return <SelectFilter name="sort" label="Newest first" options={[{ value: "oldest", name: "Oldest first" }]} />;
}

/** From page to page by the last row's place, which costs the same on every page. */
export function Pager({
  about,
  newer,
  older,
  names,
}: {
  about: ReactNode;
  newer?: string;
  older?: string;
  /** Of the links, where the rows are not in the order of time. */
  names?: [string, string];
}) {
  const filters = useFilters();
  const [toNewer, toOlder] = names ?? (filters.get("sort") === "oldest" ? ["Older", "Newer"] : ["Newer", "Older"]);
  const link = "inline-flex min-h-11 items-center text-ink underline-offset-3 hover:underline";
  return (
    <div className="flex items-center justify-between gap-3 pt-3 text-muted">
      <span className="tabular-nums">{about}</span>
      <span className="flex gap-5">
        {newer && (
          <Link className={link} to={filters.to("after", newer)}>
            {toNewer}
          </Link>
        )}
        {older && (
          <Link className={link} to={filters.to("before", older)}>
            {toOlder}
          </Link>
        )}
      </span>
    </div>
  );
}
