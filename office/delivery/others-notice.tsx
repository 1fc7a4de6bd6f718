import { Choice } from "../conflict/notice.tsx";
import { Notice } from "../frame/notice.tsx";
import { type Draft, FIELD_TITLES, fieldText, type PlaceField } from "./draft.ts";
import type { Drafts } from "./drafts.ts";

type Props = { draft: Draft; drafts: Drafts };

/**
 * Shown if another member has changed the same place. Both versions of the differing fields are shown, and one has to
 * be chosen. Their other changes are kept.
 */
export function OthersNotice({ draft, drafts }: Props) {
  const other = drafts.others(draft);
  if (!other) return null;
  const { theirs, against, beside } = other;
  const isQuestion = theirs === null || draft.isGone || against.length > 0;
  const mine = (field: PlaceField) => drafts.text(draft.kind, draft.name, field);
  return (
    <Notice
      kind={isQuestion ? "conflict" : "info"}
      actions={isQuestion && <Choice onMine={() => drafts.keepMine(draft)} onTheirs={() => drafts.takeTheirs(draft)} />}
    >
      <strong className="font-semibold">Somebody else has changed {draft.name} meanwhile</strong>
      <span>
        {isQuestion
          ? ". Yours is still here, and hasn’t been saved."
          : ". It stays as they made it; yours is beside it."}
      </span>
      {theirs === null && <p>Theirs: it is there no more.</p>}
      {draft.isGone && <p>Yours: to remove it.</p>}
      <ul className="mt-1 wrap-anywhere">
        {theirs !== null &&
          against.map((field) => (
            <li key={field}>
              {FIELD_TITLES[field]}: theirs {said(field, fieldText(theirs, field))}
              <span>{!draft.isGone && `, yours ${said(field, mine(field))}`}</span>
            </li>
          ))}
        {beside.map((field) => (
          <li key={field}>
            {FIELD_TITLES[field]}: now {said(field, fieldText(theirs, field))}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function said(field: PlaceField, text: string): string {
  if (text.trim() === "") return "none";
  return field === "dollars" ? `$${text}` : `“${text}”`;
}
