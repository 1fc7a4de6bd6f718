import { plural } from "#app/infra/text/plural.ts";
import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import type { OfferRow, OfferState } from "#app/owner/offers/offers.server.ts";
import { State, type Tone } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";

const STATES: Record<OfferState, { title: string; tone: Tone }> = {
  running: { title: "Running", tone: "done" },
  planned: { title: "Planned", tone: "going" },
  paused: { title: "Paused", tone: "waiting" },
  ended: { title: "Ended", tone: "rest" },
};

/** A table of offers that link to their pages. */
export function OffersTable({ offers }: { offers: OfferRow[] }) {
  return (
    <Table
      label="Offers"
      rows={offers}
      idOf={({ id }) => String(id)}
      nameOf={({ name }) => name}
      href={({ id }) => `/offers/${id}`}
      columns={COLUMNS}
      narrow={{ lead: ({ name }) => name, about: (offer) => `${startText(offer)} · ${usesText(offer)} uses` }}
    />
  );
}

const COLUMNS: Column<OfferRow>[] = [
  {
    head: "Offer",
    tone: "strong",
    cell: ({ name, sentence }) => (
      <>
        <span className="block">{name}</span> <span className="block font-normal text-muted">{sentence}</span>
      </>
    ),
  },
  { head: "Starts", cell: startText },
  { head: "When", cell: (offer) => <When {...offer} /> },
  { head: "State", slot: "state", cell: ({ state }) => <OfferStateOf state={state} /> },
  { head: "Uses", align: "end", cell: usesText },
  { head: "Given away", slot: "sum", align: "end", cell: ({ givenCents }) => formatUsd(usdCents(givenCents)) },
  { head: "Sold with it", align: "end", cell: ({ takenCents }) => formatUsd(usdCents(takenCents)) },
];

export function OfferStateOf({ state }: { state: OfferState }) {
  return <State tone={STATES[state].tone}>{STATES[state].title}</State>;
}

export function When({ startsAt, endsAt }: Pick<OfferRow, "startsAt" | "endsAt">) {
  return (
    <>
      <span>
        from <Time at={startsAt} />
      </span>{" "}
      {endsAt && (
        <span>
          until <Time at={endsAt} />
        </span>
      )}
    </>
  );
}

export function startText({ byCode, code, codes }: OfferRow): string {
  if (!byCode) return "By itself";
  return code ?? (codes > 0 ? plural(codes, "code") : "No code yet");
}

export function usesText({ uses, mostUses }: OfferRow): string {
  return mostUses ? `${uses} of ${mostUses}` : String(uses);
}
