import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { Button } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";
import type { Draft, Drafts } from "./drafts.ts";

/** Somebody else has changed the same place: both are shown, and one is chosen. */
export function OthersNotice({ draft, drafts }: { draft: Draft; drafts: Drafts }) {
  const other = drafts.others(draft);
  if (!other) return null;
  return (
    <Notice
      kind="conflict"
      actions={
        <>
          <Button type="button" look="line" onPress={() => drafts.keepMine(draft)}>
            Go on with mine
          </Button>
          <Button type="button" look="line" onPress={() => drafts.drop(draft)}>
            Take theirs
          </Button>
        </>
      }
    >
      <strong className="font-semibold">Somebody else has changed {draft.name} meanwhile</strong>:{" "}
      {other.theirs ? formatUsd(usdCents(other.theirs.rateCents)) : "it is there no more"}. Yours,{" "}
      {draft.isGone ? "to remove it" : `$${draft.dollars}`}, is still here, and was not saved.
    </Notice>
  );
}
