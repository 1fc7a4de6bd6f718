import { Form, Link } from "react-router";
import { plural } from "#app/infra/text/plural.ts";
import type { TextState } from "#app/owner/texts/versions.server.ts";
import { Button } from "../frame/button.tsx";
import { State, type Tone } from "../frame/state.tsx";
import { Time } from "../frame/times.tsx";

/** `changed`: the number of blocks that differ from the version before. `isSubjectNew`: whether the subject does. */
export type ListedVersion = {
  version: number;
  savedBy: string;
  savedAt: Date;
  publishedAt: Date | null;
  state: TextState;
  changed: number;
  isSubjectNew: boolean;
};

const STATES: Record<TextState, { title?: string; tone: Tone }> = {
  shown: { tone: "done" },
  past: { title: "Published", tone: "rest" },
  planned: { title: "Planned", tone: "going" },
  withdrawn: { title: "Withdrawn", tone: "rest" },
};

type Props = {
  /** The newest first. */
  versions: ListedVersion[];
  /** What is said of the version that is shown: "In the shop now". */
  now: string;
  /** Whether the text in code is shown. */
  isOriginal: boolean;
  /** The number of the newest version, sent with the form: nothing is put back if there is a newer one. */
  seen: string;
};

/** All versions of a text, each with who saved it, a link that shows it, and a button that puts it back. */
export function History({ versions, now, isOriginal, seen }: Props) {
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
      {versions.map(({ version, savedBy, savedAt, publishedAt, state, ...changes }) => (
        <li key={version} className={ROW}>
          <span className="min-w-0 wrap-anywhere">
            <span className="block">
              <span className="font-semibold">{`Version ${version}`}</span>{" "}
              <State tone={STATES[state].tone}>{STATES[state].title ?? now}</State>{" "}
              {publishedAt && (
                <span className="text-muted">
                  from <Time at={publishedAt} />
                </span>
              )}
            </span>{" "}
            <span className="block text-[0.8125rem] leading-4.5 text-muted">
              <Time at={savedAt} /> <span>{`${savedBy}, ${changesText(changes)} changed`}</span>
            </span>
          </span>{" "}
          <Acts version={version} name={`version ${version}`} seen={seen} canPutBack={state !== "shown"} />
        </li>
      ))}
      <li className={ROW}>
        <span className="min-w-0">
          <span className="font-semibold">The first text</span> {isOriginal && <State tone="done">{now}</State>}
        </span>{" "}
        <Acts version={0} name="the first text" seen={seen} canPutBack={!isOriginal} />
      </li>
    </ul>
  );
}

function changesText({ changed, isSubjectNew }: Pick<ListedVersion, "changed" | "isSubjectNew">): string {
  if (isSubjectNew && changed === 0) return "subject";
  return `${isSubjectNew ? "subject and " : ""}${plural(changed, "block")}`;
}

const ROW = "flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2";

type ActsProps = { version: number; name: string; seen: string; canPutBack: boolean };

function Acts({ version, name, seen, canPutBack }: ActsProps) {
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      <Link
        to={`?version=${version}`}
        preventScrollReset
        aria-label={`See it: ${name}`}
        className="inline-flex min-h-11 items-center underline underline-offset-3 hover:text-palm lg:min-h-9"
      >
        See it
      </Link>{" "}
      {canPutBack && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="version" value={version} />
          <input type="hidden" name="seen" value={seen} />
          <Button look="quiet" name="intent" value="put-back" aria-label={`Put this back: ${name}`}>
            Put this back
          </Button>
        </Form>
      )}
    </span>
  );
}
