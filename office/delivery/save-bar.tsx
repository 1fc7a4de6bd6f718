import { Form, useNavigation } from "react-router";
import { plural } from "#app/infra/text/plural.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Button, SaveButton } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";
import type { Drafts } from "./drafts.ts";

type Props = {
  drafts: Drafts;
  /** The server's lines about values that look like typing errors. */
  doubts?: string[];
};

/** A bar at the bottom of the screen with the unsaved changes. */
export function SaveBar({ drafts, doubts }: Props) {
  const isPending = useNavigation().formData !== undefined;
  const changed = drafts.all.filter(drafts.isChange);
  if (changed.length === 0) return null;
  const isStale = changed.some(drafts.isOpen);
  const edits = changed.map((draft) => {
    const { kind, name } = draft;
    return { kind, name, was: drafts.current(kind, name), now: drafts.wanted(draft) };
  });
  return (
    <Form
      method="post"
      onSubmit={drafts.send}
      preventScrollReset
      className="sticky bottom-18 z-10 mt-6 grid gap-3 lg:bottom-4"
    >
      <input type="hidden" name="edits" value={JSON.stringify(edits)} />
      <input type="hidden" name="intent" value="save" />
      {doubts && drafts.isAsSent && (
        <div className="bg-paper">
          <Notice
            kind="error"
            actions={
              <Button name="agreed" value="yes" isPending={isPending}>
                Yes, save it
              </Button>
            }
          >
            <strong className="font-semibold">Is that right?</strong> Nothing has been changed yet.
            <ul className="mt-1 tabular-nums">
              {doubts.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      <section
        aria-label="Changes"
        className="flex min-h-16 items-center gap-2 rounded-cut bg-ink px-4 py-2 text-paper shadow-lg outline-paper lg:mx-auto lg:w-max"
      >
        <button
          type="button"
          onClick={drafts.dropAll}
          aria-label="Undo all changes"
          className="-ml-3 grid size-11 place-items-center lg:ml-0"
        >
          <CloseIcon className="size-5" />
        </button>
        <p className="mr-auto font-semibold lg:mr-6" role="status">
          {plural(changed.length, "change")}
        </p>
        <SaveButton
          look="light"
          isPending={isPending}
          isDisabled={isStale || changed.some((one) => drafts.wanted(one) === undefined)}
        />
      </section>
    </Form>
  );
}
