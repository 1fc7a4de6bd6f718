import { useState, useSyncExternalStore } from "react";
import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import { useLocation } from "react-router";
import { CloseIcon, PlusIcon } from "#app/ui/icons.tsx";
import { Button } from "../../frame/button.tsx";
import { View } from "../../frame/list-tools.tsx";

type SavedView = { name: string; search: string };

const KEY = "irepo-office-order-views";
const NONE: SavedView[] = [];
const listeners = new Set<() => void>();
let known: { text: string; views: SavedView[] } | undefined;

function read(): SavedView[] {
  const text = localStorage.getItem(KEY) ?? "[]";
  if (known?.text !== text) known = { text, views: parsed(text) };
  return known.views;
}

function parsed(text: string): SavedView[] {
  try {
    const views: unknown = JSON.parse(text);
    return Array.isArray(views) ? views.filter(isView) : NONE;
  } catch {
    return NONE; // a value of another program
  }
}

function isView(one: unknown): one is SavedView {
  return typeof one === "object" && one !== null && "name" in one && "search" in one && typeof one.search === "string";
}

function write(views: SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views));
  for (const listener of listeners) listener();
}

function useSavedViews(): SavedView[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      addEventListener("storage", listener);
      return () => {
        listeners.delete(listener);
        removeEventListener("storage", listener);
      };
    },
    read,
    () => NONE,
  );
}

/** The list's URL query without the page. */
function viewOf(search: string): string {
  const params = new URLSearchParams(search);
  params.delete("before");
  params.delete("after");
  return `?${params}`;
}

/** The member's saved views of the list, which are stored in this browser, and a form to save the current view. */
export function SavedViews() {
  const views = useSavedViews();
  const here = viewOf(useLocation().search);
  const [name, setName] = useState("");
  const isNarrowed = [...new URLSearchParams(here).keys()].some((name) => name !== "view");
  const isSaved = views.some(({ search }) => search === here);
  const save = (close: () => void) => {
    if (name.trim() === "") return;
    write([...views.filter((view) => view.name !== name.trim()), { name: name.trim(), search: here }]);
    setName("");
    close();
  };
  return (
    <>
      {views.map((view) => (
        <span key={view.name} className="flex flex-none items-center">
          <View to={view.search} current={view.search === here}>
            {view.name}
          </View>
          {view.search === here && (
            <button
              type="button"
              aria-label={`Delete the view ${view.name}`}
              onClick={() => write(views.filter((one) => one !== view))}
              className="grid size-11 place-items-center text-muted hover:text-ink lg:size-9"
            >
              <CloseIcon className="size-4" />
            </button>
          )}
        </span>
      ))}
      {!isSaved && isNarrowed && (
        <DialogTrigger>
          <Button type="button" look="bare" className="flex-none text-muted">
            <PlusIcon className="size-4.5" />
            Save this view
          </Button>
          <Popover placement="bottom start" className="rounded-cut border border-hairline bg-white p-4 shadow-lg">
            <Dialog className="outline-none" aria-label="Save this view">
              {({ close }) => (
                <form
                  className="flex items-end gap-2"
                  onSubmit={(event) => {
                    event.preventDefault();
                    save(close);
                  }}
                >
                  <label className="grid gap-1.5 font-semibold">
                    Name of the view
                    <input
                      value={name}
                      onChange={(event) => setName(event.target.value)}
                      maxLength={40}
                      required
                      className="input w-48 font-normal"
                    />
                  </label>
                  <Button>Save</Button>
                </form>
              )}
            </Dialog>
          </Popover>
        </DialogTrigger>
      )}
    </>
  );
}
