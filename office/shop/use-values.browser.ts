import { useEffect, useRef, useState } from "react";
import type { ShopValueName, ShopValues } from "#app/owner/shop/settings.ts";
import type { Outcome } from "../http/changes.server.ts";

/** The stored values, and the texts that show them. */
export type Stored = { values: ShopValues; texts: Record<ShopValueName, string> };
/** `was` is the stored value from which `text` was edited, and `shown` its text. */
type Draft = { text: string; was: ShopValues[ShopValueName]; shown: string };
type Drafts = Partial<Record<ShopValueName, Draft>>;

const entriesOf = (drafts: Drafts) => Object.entries(drafts) as [ShopValueName, Draft][];
const each = <Part>(drafts: Drafts, part: (draft: Draft) => Part) =>
  Object.fromEntries(entriesOf(drafts).map(([name, draft]) => [name, part(draft)]));

/**
 * The shop's values being edited. What was typed stays if other members save meanwhile; all other fields follow the
 * stored values.
 */
export function useValues(stored: Stored, done?: Outcome) {
  const [drafts, setDrafts] = useState<Drafts>({});
  // Values saved here. They count until the reloaded values arrive.
  const [saved, setSaved] = useState<Stored & { over: Stored }>();
  const { values, texts } = saved?.over === stored ? saved : stored;
  const sent = useRef<Stored & { over: Stored; drafts: Drafts }>(undefined);
  useEffect(() => {
    if (!done?.ok || !done.version || !sent.current) return;
    const { over, ...before } = sent.current;
    const now: Stored = {
      values: { ...before.values, ...JSON.parse(done.version) },
      texts: { ...before.texts, ...each(before.drafts, ({ text }) => text) },
    };
    setSaved({ over, ...now });
    setDrafts((all) => {
      const typedSince = entriesOf(all).filter(([name, { text }]) => text !== now.texts[name]);
      const edited = typedSince.map(([name, { text }]) => [
        name,
        { text, was: now.values[name], shown: now.texts[name] },
      ]);
      return Object.fromEntries(edited);
    });
  }, [done]);
  const put = (name: ShopValueName, draft?: Draft) =>
    setDrafts(({ [name]: _, ...others }) => (draft ? { ...others, [name]: draft } : others));
  const unedited = (name: ShopValueName) => ({ was: values[name], shown: texts[name] });
  const isOpen = (name: ShopValueName, { text, was }: Draft) => values[name] !== was && texts[name] !== text;
  return {
    isChanged: entriesOf(drafts).some(([name, { text }]) => text !== texts[name]),
    /** The number of values of which the member has to choose one before saving. */
    open: entriesOf(drafts).filter(([name, draft]) => isOpen(name, draft)).length,
    /** The values and texts from which the form was edited. */
    was: { ...values, ...each(drafts, ({ was }) => was) },
    shown: { ...texts, ...each(drafts, ({ shown }) => shown) },
    /** Called when the form is sent. */
    send: () => {
      sent.current = { over: stored, values, texts, drafts };
    },
    of(name: ShopValueName) {
      const draft = drafts[name];
      return {
        name,
        text: draft?.text ?? texts[name],
        /** The text of another member, if the member has to choose. */
        theirs: draft && isOpen(name, draft) ? texts[name] : undefined,
        set: (text: string) => {
          const from = draft ?? unedited(name);
          put(name, text === from.shown ? undefined : { ...from, text });
        },
        keepMine: () => draft && put(name, { ...draft, ...unedited(name) }),
        takeTheirs: () => put(name),
      };
    },
  };
}
export type TypedValue = ReturnType<ReturnType<typeof useValues>["of"]>;
