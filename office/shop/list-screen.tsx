import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Form } from "react-router";
import { capital } from "#app/infra/text/capital.ts";
import { LeftIcon, PlusIcon, RightIcon } from "#app/ui/icons.tsx";
import { Choice, ConflictNotice } from "../conflict/notice.tsx";
import { useDraft } from "../conflict/use-draft.browser.ts";
import { Button, SeeIt } from "../frame/button.tsx";
import { Notice, PreviewNotice, UnsavedNotice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import type { Outcome } from "../http/changes.server.ts";
import { ItemList } from "./item-list.browser.tsx";
import { SaveBar } from "./save-bar.tsx";

type Props<Item> = {
  title: string;
  about: string;
  /** The nouns for one item and for several, such as "slide" and "slides", which is also the name of the form field. */
  one: string;
  many: string;
  /** The intent of the form that saves them. */
  intent: string;
  /** The name under which edits are stored on this device. */
  storage: string;
  known: { items: Item[]; version: string; shop: string };
  done?: Outcome;
  most: number;
  titleOf(item: Item): string;
  preview?(item: Item): ReactNode;
  /** The fields of an item. `problems`: error messages by field. */
  fields(item: Item, problems: Record<string, string>, onChange: (change: Partial<Item>) => void): ReactNode;
  /** The items that can be added, each with the text of its button. */
  adds(items: Item[]): [label: string, make: () => Item][];
  /** The items that the shop comes with, and the text of the button that restores them. */
  shipped: { label: string; items: Item[] };
};

/** The screen of a list of the home page: its order, and its items, edited one at a time. All are saved together. */
export function ListScreen<Item extends { id: string }>(props: Props<Item>) {
  const { one, many, known, done, most, titleOf, preview, fields, adds, shipped } = props;
  const theirs = useMemo(() => ({ items: known.items }), [known.items]);
  const saved = done?.ok ? done : undefined;
  const draft = useDraft({ theirs, version: known.version, name: props.storage, saved });
  const mine = draft.mine.items;
  const isOpen = draft.open.length > 0;
  const set = (change: (items: Item[]) => Item[]) => draft.set(({ items }) => ({ items: change(items) }));
  const [chosenId, choose] = useState(mine[0]?.id);
  const chosen = mine.find(({ id }) => id === chosenId) ?? mine[0];
  const at = chosen ? mine.indexOf(chosen) : 0;
  const problems = done && !done.ok && "problems" in done ? done.problems : {};
  const link = done && !done.ok && "link" in done ? done.link : undefined;
  const of = (index: number) =>
    Object.fromEntries(
      Object.entries(problems).flatMap(([path, problem]) => {
        const [, place, name = ""] = path.split(".");
        return place === String(index) ? [[name, problem]] : [];
      }),
    );
  const wrong = mine.filter((_, index) => Object.keys(of(index)).length > 0).map(({ id }) => id);
  const [firstWrong] = wrong;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (firstWrong) choose(firstWrong);
  }, [done]);
  const notices = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen || (done && !done.ok)) notices.current?.scrollIntoView({ block: "center" });
  }, [done, isOpen]);
  const add = (item: Item) => {
    set((all) => [...all, item]);
    choose(item.id);
  };
  return (
    <Page
      title={props.title}
      back={{ to: "/shop", title: "Shop" }}
      about={props.about}
      actions={<SeeIt href={known.shop} />}
    >
      <div ref={notices}>
        {link && <PreviewNotice link={link} />}
        {done && !done.ok && "problem" in done && !done.isStale && !link && (
          <Notice kind={"isOffline" in done ? "offline" : "error"}>{done.problem}</Notice>
        )}
        {Object.keys(problems).length > 0 && (
          <Notice kind="error">
            Nothing was saved. <span>{problems[many] ?? "Check the marked fields."}</span>
          </Notice>
        )}
        {draft.kept?.isFound && !isOpen && <UnsavedNotice onDiscard={draft.throwAway} />}
        {isOpen && (
          <ConflictNotice
            head={`Somebody else has changed the ${many}.`}
            choice={<Choice onMine={() => draft.keepMine("items")} onTheirs={() => draft.takeTheirs("items")} />}
          >
            These are theirs:
            <ul className="mt-2 grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-6">
              {known.items.map((item) => (
                <li key={item.id} className="min-w-0">
                  {preview?.(item)}
                  <span className="block truncate">{titleOf(item)}</span>
                </li>
              ))}
            </ul>
          </ConflictNotice>
        )}
      </div>
      <div className="lg:grid lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-x-14">
        <Section
          title={capital(many)}
          aside={mine.length > 1 && <span className="text-[0.8125rem] text-muted">Drag to put them in order</span>}
        >
          <ItemList
            label={capital(many)}
            one={capital(one)}
            items={mine}
            chosen={chosen?.id ?? ""}
            wrong={wrong}
            titleOf={titleOf}
            preview={preview}
            onChoose={choose}
            onMove={(moved) => set(() => moved)}
          />
          <div className="mt-3 flex flex-wrap gap-2">
            {adds(mine).map(([label, make]) => (
              <Button
                key={label}
                type="button"
                look="line"
                isDisabled={mine.length >= most}
                onPress={() => add(make())}
              >
                <PlusIcon className="size-5" />
                {label}
              </Button>
            ))}
            <Button type="button" look="bare" className="px-2" onPress={() => set(() => shipped.items)}>
              {shipped.label}
            </Button>
          </div>
        </Section>
        <Section title={`${capital(one)} ${at + 1}`}>
          {chosen && (
            <fieldset key={chosen.id} className="grid gap-4.5">
              <legend className="sr-only">{`${one} ${at + 1}`}</legend>
              {fields(chosen, of(at), (what) =>
                set((all) => all.map((item) => (item.id === chosen.id ? { ...item, ...what } : item))),
              )}
              <Places
                one={one}
                at={at}
                count={mine.length}
                onMove={(to) => set((all) => all.toSpliced(at, 1).toSpliced(to, 0, chosen))}
                onRemove={() => set((all) => all.filter(({ id }) => id !== chosen.id))}
              />
            </fieldset>
          )}
        </Section>
      </div>
      <Form method="post" onSubmit={draft.onSend} preventScrollReset className="contents">
        <input type="hidden" name="intent" value={props.intent} />
        <input type="hidden" name={many} value={JSON.stringify(mine)} />
        <input type="hidden" name="seen" value={draft.seen} />
        <SaveBar
          label={`Save the ${many}`}
          status={draft.isChanged ? "Not saved yet" : done?.ok ? done.what : undefined}
          isDisabled={isOpen}
          hasPreview
        />
      </Form>
    </Page>
  );
}

type PlacesProps = { one: string; at: number; count: number; onMove(to: number): void; onRemove(): void };

/** The buttons that move an item of the list, or remove it. */
function Places({ one, at, count, onMove, onRemove }: PlacesProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="button" look="line" isDisabled={at === 0} onPress={() => onMove(at - 1)}>
        <LeftIcon className="size-4.5" />
        Earlier
      </Button>
      <Button type="button" look="line" isDisabled={at === count - 1} onPress={() => onMove(at + 1)}>
        Later
        <RightIcon className="size-4.5" />
      </Button>
      <Button type="button" look="bare" isDisabled={count === 1} className="ml-auto px-2" onPress={onRemove}>
        {`Remove the ${one}`}
      </Button>
    </div>
  );
}
