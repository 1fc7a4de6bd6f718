import type { TypedOffer } from "#app/owner/offers/typed-offer.server.ts";
import { ConflictNotice } from "../conflict/notice.tsx";
import { useAnswer } from "../connection/answer.ts";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import type { Outcome } from "../http/changes.server.ts";
import { OfferForm } from "./form.tsx";
import { OfferPreview } from "./preview.tsx";

type Props = {
  title: string;
  back: { to: string; title: string };
  collections: { id: string; name: string }[];
  /** The stored offer as fields of the form, and its sentence. Undefined for a new offer. */
  stored?: { typed: TypedOffer; hasBegun: boolean; sentence: string };
  submit: string;
};

/** The form of an offer. After a submit, the preview or the refusal is shown above the form. */
export function OfferScreen({ title, back, collections, stored, submit }: Props) {
  const done = useAnswer<() => Promise<Outcome>>();
  const refused = done && !done.ok ? done : undefined;
  const problems = refused && "problems" in refused ? refused.problems : {};
  const shown = refused && "offer" in refused ? refused.offer : undefined;
  const typed = (refused && "typed" in refused && refused.typed) || stored?.typed;
  return (
    <Page title={title} back={back}>
      {refused && "problem" in refused && !refused.isStale && (
        <Notice kind={shown ? "info" : "error"}>{refused.problem}</Notice>
      )}
      {refused && "isStale" in refused && stored && (
        <ConflictNotice head="Somebody else has changed this offer.">
          <span className="wrap-anywhere">{`Theirs: “${stored.typed.name}”, ${stored.sentence}.`}</span> Look at what
          yours does, and save it again to replace it.
        </ConflictNotice>
      )}
      {Object.keys(problems).length > 0 && <Notice kind="error">Something is missing or not right: see below.</Notice>}
      {shown && typed && <OfferPreview offer={shown} typed={typed} submit={submit} />}
      <div className="max-w-[44rem]">
        <OfferForm
          typed={typed}
          problems={problems}
          collections={collections}
          stored={stored && { hasBegun: stored.hasBegun, isLimited: stored.typed.mostUses !== "" }}
        />
      </div>
    </Page>
  );
}
