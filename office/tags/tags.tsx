import { useEffect, useId, useRef } from "react";
import { Link, useFetcher } from "react-router";
import type { Tag } from "#app/owner/tags/tag.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { useUnscripted } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { SelectFilter } from "../frame/list-tools.tsx";
import { Section } from "../frame/page.tsx";

type Answer = {
  ok: boolean;
  intent?: string;
  problem?: string;
  problems?: Record<string, string>;
  values?: { tag?: string };
};

type Props = {
  tags: Tag[];
  /** Words to suggest. */
  others: string[];
  /** The path of the list that a tag links to. */
  list: string;
};

/**
 * The tags on an order or a customer, each with a button that removes it, and a field that adds one. The forms are sent
 * without a navigation, so that an open panel stays open.
 */
export function Tags({ tags, others, list }: Props) {
  const fetcher = useFetcher<Answer>();
  const unscripted = useUnscripted<Answer>("tag");
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false); // whether the text in the field has been sent
  const suggestions = useId();
  const { data: answer = unscripted, state } = fetcher;
  useEffect(() => {
    if (answer?.ok && answer.intent === "tag" && isSent.current) form.current?.reset();
  }, [answer]);
  return (
    <Section title="Tags">
      {tags.length > 0 && (
        <ul className="mb-3 flex flex-wrap gap-2">
          {tags.map(({ folded, word }) => (
            <li key={folded} className="flex min-w-0 items-center rounded-cut bg-linen">
              <Link
                to={`${list}?${new URLSearchParams({ tag: folded })}`}
                className="flex min-h-11 min-w-0 items-center pl-3 font-medium wrap-anywhere underline-offset-3 hover:underline lg:min-h-8"
              >
                {word}
              </Link>
              <fetcher.Form method="post">
                <input type="hidden" name="intent" value="untag" />
                <input type="hidden" name="tag" value={folded} />
                <Button look="bare" className="w-11 lg:w-8" aria-label={`Remove the tag ${word}`}>
                  <CloseIcon className="size-4" />
                </Button>
              </fetcher.Form>
            </li>
          ))}
        </ul>
      )}
      <fetcher.Form
        method="post"
        ref={form}
        onSubmit={() => {
          isSent.current = true;
        }}
        onChange={() => {
          isSent.current = false;
        }}
        className="flex items-end gap-2"
      >
        <input type="hidden" name="intent" value="tag" />
        <div className="flex-auto">
          <Field label="Add a tag" problem={answer?.problems?.tag ?? answer?.problem}>
            <input
              name="tag"
              list={suggestions}
              defaultValue={unscripted?.values?.tag}
              autoComplete="off"
              className="input"
            />
          </Field>
        </div>
        <datalist id={suggestions}>
          {others.map((word) => (
            <option key={word} value={word} />
          ))}
        </datalist>
        <Button look="line" isPending={state !== "idle"}>
          Add
        </Button>
      </fetcher.Form>
    </Section>
  );
}

/** The filter of a list by tag. Not rendered if the shop has no tags. */
export function TagFilter({ tags }: { tags: Tag[] }) {
  if (tags.length === 0) return null;
  return (
    <SelectFilter name="tag" label="Tag" options={Object.fromEntries(tags.map(({ folded, word }) => [folded, word]))} />
  );
}

/** The tags of a list's row. */
export function RowTags({ words = [] }: { words?: string[] }) {
  if (words.length === 0) return null;
  return (
    <span className="ml-2 inline-block max-w-48 truncate align-bottom text-[0.8125rem] text-muted">
      <span className="sr-only">Tags: </span>
      {words.join(", ")}
    </span>
  );
}
