import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { isListOf, isObject, isText } from "#app/infra/guards.ts";
import { SearchIcon } from "#app/ui/icons.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";

export type Suggestion = { id: string; title: string; color: string };
const areSuggestions = isListOf(isObject<Suggestion>({ id: isText, title: isText, color: isText }));

const PAUSE = 150; // ms without a key press before the request for suggestions

/**
 * The search field of the form with the id `form`, with product suggestions while typing. Arrow keys move through the
 * suggestions, Enter opens the chosen one or searches, Esc closes the list. Without JavaScript it is a plain field.
 */
export function SearchBox({ form, search }: { form: string; search: string }) {
  const list = useId();
  const box = useRef<HTMLDivElement>(null);
  const followed = useRef(search);
  const [typed, setTyped] = useState(search);
  const [suggestions, setSuggestions] = useState<Suggestion[]>([]);
  const [chosen, setChosen] = useState(-1);
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const shown = open && suggestions.length > 0;

  // The field follows the URL, except while somebody types.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL is what it follows
  useEffect(() => {
    if (search === followed.current) return;
    const isTyping = typed !== followed.current && box.current?.contains(document.activeElement);
    followed.current = search;
    if (!isTyping) setTyped(search);
  }, [search]);
  useEarlyInput(box, ({ q = typed }) => setTyped(q));
  const propose = (found: Suggestion[]) => {
    setSuggestions(found);
    setChosen(-1); // Enter must not open a product that replaced the chosen one
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once for each text
  useEffect(() => (open ? askSuggestions(typed, propose) : undefined), [typed, open]);

  const go = ({ id }: Suggestion) => {
    setOpen(false);
    navigate(`/singleProduct/${id}`);
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const product = suggestions[chosen];
    if (step && shown) {
      event.preventDefault();
      setChosen((chosen + step + suggestions.length + 1) % (suggestions.length + 1));
    } else if (event.key === "Enter" && shown && product) {
      event.preventDefault();
      go(product);
    } else if (event.key === "Escape" && shown) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === "Enter") setOpen(false);
  };
  return (
    <div ref={box} className="relative max-lg:static">
      <SearchIcon className="pointer-events-none absolute top-3 left-3 size-5 text-muted" />
      <input
        id="search" // the header of phones leads here
        type="text"
        aria-label="Search"
        placeholder="Search"
        name="q"
        inputMode="search"
        enterKeyHint="search"
        form={form}
        value={typed}
        autoComplete="off"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={list}
        aria-activedescendant={shown && chosen >= 0 ? `${list}-${chosen}` : undefined}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(-1);
          setOpen(true);
        }}
        onKeyDown={keys}
        onBlur={() => setOpen(false)}
        className="min-h-11 w-full rounded-cut border border-ink/50 bg-white py-2 pr-3 pl-10 text-base placeholder:text-muted hover:border-ink"
      />
      <div
        id={list}
        role="listbox"
        aria-label="Products"
        hidden={!shown}
        className="absolute inset-x-0 top-full z-20 border mt-1 border-hairline bg-paper shadow-overlay"
      >
        {suggestions.map((product, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
          <div
            key={product.id}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            // Keeps the focus in the field: a blur would close the list before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(product)}
            className="flex min-h-12 cursor-pointer items-center justify-between gap-3 px-3 hover:bg-linen aria-selected:bg-linen"
          >
            <span className="font-semibold">{product.title}</span>
            <span className="text-sm text-muted">{product.color}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Requests suggestions after a pause. Returns a function that cancels the request. */
function askSuggestions(typed: string, show: (found: Suggestion[]) => void): () => void {
  const gone = new AbortController();
  const timer = setTimeout(async () => {
    if (!typed.trim()) return show([]);
    const found: unknown = await fetch(`/api/suggestions?${new URLSearchParams({ q: typed })}`, { signal: gone.signal })
      .then((response) => (response.ok ? response.json() : undefined))
      .catch(() => undefined); // offline or aborted: the current suggestions stay
    if (areSuggestions(found)) show(found);
  }, PAUSE);
  return () => {
    clearTimeout(timer);
    gone.abort();
  };
}
