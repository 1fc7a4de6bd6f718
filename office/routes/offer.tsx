import { randomUUID } from "node:crypto";
import { useState } from "react";
import { data, Form, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { listOffers } from "#app/owner/offers/offers.server.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, ButtonLink, PlainLink } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { Field } from "../frame/field.tsx";
import { keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { OFFER_CHANGES } from "../offers/changes.server.ts";
import { offerFor } from "../offers/for-role.ts";
import { OfferStateOf, startText, usesText, When } from "../offers/table.tsx";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "discounts");
  const id = /^\d{1,9}$/.test(params.id ?? "") ? Number(params.id) : undefined;
  const [offer] = id === undefined ? [] : await listOffers(db(), id);
  if (!offer) throw data(null, 404);
  return { offer: offerFor(role, offer), mayChange: may(role, "offers"), key: randomUUID() };
}

export const action = changes(OFFER_CHANGES);
export const clientAction = keepWhatIsTyped;

/** The page of an offer: its terms, what it has given away, its codes, and buttons that pause, change or end it. */
export default function Offer() {
  useFresh();
  const { offer, mayChange } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const { name, sentence, state, byCode, givenCents, takenCents } = offer;
  const sums: [string, string][] = [
    ["Starts", startText(offer)],
    ["Uses", usesText(offer)],
    ["Given away", formatUsd(usdCents(givenCents))],
    ["Sold with it", formatUsd(usdCents(takenCents))],
  ];
  return (
    <Page title={name} back={{ to: "/offers", title: "Offers" }}>
      {done?.ok && <Notice kind="done">{done.what}</Notice>}
      {done && !done.ok && "problem" in done && <Notice kind="error">{done.problem}</Notice>}
      <p className="mt-4 rounded-cut bg-linen p-3 font-medium">{`${sentence}.`}</p>
      <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1">
        <OfferStateOf state={state} /> <When {...offer} />
      </p>
      <dl className="mt-4 grid max-w-96 grid-cols-[1fr_auto] gap-x-6 gap-y-1 tabular-nums">
        {sums.map(([title, text]) => (
          <div key={title} className="contents">
            <dt>{title}</dt> <dd className="text-right">{text}</dd>
          </div>
        ))}
      </dl>
      {mayChange && byCode && <Codes key={offer.codes} />}
      {mayChange && state !== "ended" && (
        <div className="mt-8 flex flex-wrap gap-3">
          <Form method="post" preventScrollReset>
            <Button look="line" name="intent" value={state === "paused" ? "resume" : "pause"}>
              {state === "paused" ? "Resume" : "Pause"}
            </Button>
          </Form>{" "}
          <ButtonLink look="line" to={`/offers/${offer.id}/edit`}>
            Change
          </ButtonLink>{" "}
          <Confirm
            title="End"
            question="It’s over for good. Orders that are being paid keep it."
            submit="End it now"
            intent="end"
          />
        </div>
      )}
    </Page>
  );
}

function Codes() {
  const { offer, key } = useLoaderData<typeof loader>();
  const [kept] = useState(key); // an idempotency key: a second submit makes no further codes
  const done = useAnswer<typeof action>();
  const problem = done && !done.ok && "problems" in done ? done.problems.count : undefined;
  return (
    <Section title="Codes">
      <PlainLink href={`/offers/${offer.id}/codes.csv`} download>
        <DownloadIcon className="size-5" />
        Download the codes
      </PlainLink>
      {offer.state !== "ended" && (
        <Form method="post" preventScrollReset className="mt-4 flex items-end gap-2">
          <input type="hidden" name="key" value={kept} />
          <Field label="Codes for one use each" note="1 to 10,000" problem={problem}>
            <input name="count" inputMode="numeric" autoComplete="off" className="input tabular-nums" />
          </Field>
          <Button look="line" name="intent" value="codes">
            Make
          </Button>
        </Form>
      )}
    </Section>
  );
}
