import { Form, type LoaderFunctionArgs, redirect, useLoaderData } from "react-router";
import { z } from "zod";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { approximateNaira } from "#app/money/exchange-rate.ts";
import { formatApproximateNaira, formatUsd } from "#app/money/format.ts";
import { dollarText, usdCents } from "#app/money/money.ts";
import { PICK_UP, STANDARD } from "#app/orders/handover/ways.ts";
import { handoverWays, switchHandover } from "#app/owner/delivery/handover.server.ts";
import {
  deliveryWays,
  placesForWays,
  placesLine,
  saveWay,
  switchWay,
  WAY_FIELDS,
  wishOf,
} from "#app/owner/delivery/ways.server.ts";
import { MOST_PLACES, type StoredWay } from "#app/owner/delivery/ways.ts";
import { daysOfWay } from "#app/shipping/ways/text.ts";
import { may } from "#app/staff/roles.ts";
import { PlusIcon } from "#app/ui/icons.tsx";
import { StaleNotice } from "../conflict/notice.tsx";
import { useVersioned } from "../conflict/use-versioned.ts";
import { useAnswer } from "../connection/answer.ts";
import { HandoverSwitches } from "../delivery/handover.tsx";
import { WayFields } from "../delivery/way-fields.tsx";
import { Button, ButtonLink, SaveButton } from "../frame/button.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, notDoneText, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { change, changes, outdated } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";

const NEW = "new";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "products");
  const mayChange = may(role, "delivery");
  const asked = new URL(request.url).searchParams.get("way") ?? "";
  const [stored, { rate }] = await Promise.all([deliveryWays(db()), rateInForce(db())]);
  const chosen = mayChange ? stored.find(({ id }) => id === asked) : undefined;
  const isOpen = mayChange && (chosen !== undefined || asked === NEW);
  return {
    rows: stored.map((way) => rowOf(way, rate)),
    handover: await handoverWays(db(), stored),
    mayChange,
    open: isOpen
      ? {
          id: chosen?.id ?? "",
          name: chosen?.name ?? "",
          version: chosen?.version ?? 0,
          active: chosen?.active ?? false,
          values: chosen ? valuesOf(chosen) : {},
          places: await choicesOf(chosen),
        }
      : undefined,
  };
}

function rowOf(way: StoredWay, rate: Parameters<typeof approximateNaira>[1]) {
  const { id, name, rateCents, places, orderBy, active } = way;
  const cents = usdCents(rateCents);
  return {
    ...{ id, name, active, places: placesLine(places) },
    price: `${formatUsd(cents)}, ${formatApproximateNaira(approximateNaira(cents, rate))}`,
    promise: [daysOfWay(way), orderBy && `order by ${orderBy}`].filter(Boolean).join(", "),
  };
}

/** The places to tick. Those that the way has keep their ticks, even without a rate. */
async function choicesOf(way: StoredWay | undefined): Promise<[string, string][]> {
  const offered = await placesForWays(db());
  const lost = (way?.places ?? []).filter((place) => !offered.some(([key]) => key === place));
  return [...offered, ...lost.map((place): [string, string] => [place, `${placesLine([place])}, no rate`])];
}

/** A way's texts by field; its places with line breaks between. */
function valuesOf({ name, places, rateCents, fromDays, toDays, orderBy }: StoredWay): Record<string, string> {
  return {
    name,
    places: places.join("\n"),
    dollars: dollarText(usdCents(rateCents)),
    fromDays: String(fromDays),
    toDays: String(toDays),
    orderBy,
  };
}

const WAY_ID = z.string().regex(/^\d{1,18}$/);

export const action = changes({
  save: change({
    needs: "delivery",
    size: { fields: MOST_PLACES + 20 },
    fields: z.object({
      ...WAY_FIELDS,
      id: WAY_ID.or(z.literal("")).default(""),
      version: z.coerce.number().int().default(0),
    }),
    returnsTyped: true,
    run: async ({ by, fields: { id, version: seen, ...typed } }) => {
      const done = await saveWay(db(), by, wishOf(typed), id ? { id, seen } : undefined);
      if ("problems" in done) return done;
      if (!done.ok) return outdated("this way", done);
      if (!id) return redirect(`/delivery/ways?way=${done.id}`);
      return { ok: true, what: "Saved.", version: String(done.version) };
    },
  }),
  switch: change({
    needs: "delivery",
    fields: z.object({ id: WAY_ID, to: z.enum(["on", "off"]) }),
    run: async ({ by, fields: { id, to } }) => {
      const { name } = await switchWay(db(), by, id, to === "on");
      return { ok: true, what: to === "on" ? `The checkout offers ${name} now.` : `${name} is off. Orders keep it.` };
    },
  }),
  handover: change({
    needs: "delivery",
    fields: z.object({ way: WAY_ID.or(z.enum([STANDARD, PICK_UP])), to: z.enum(["on", "off"]) }),
    run: async ({ by, fields: { way, to } }) => {
      const { name } = await switchHandover(db(), by, way, to === "on");
      return { ok: true, what: `Handover by code is ${to} for ${name}. Orders that were sent stay as they are.` };
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

/** The ways of home delivery beside the standard one. */
export default function DeliveryWays() {
  useFresh();
  const { rows, handover, mayChange, open } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const refused = done && !done.ok && "problem" in done && !done.isStale ? done : undefined;
  return (
    <Page
      title="Ways of delivery"
      back={{ to: "/delivery", title: "Delivery" }}
      about="Beside the standard delivery, which costs what the rates say. Shoppers choose where more than one serves their place."
      actions={
        mayChange && (
          <ButtonLink to={`?way=${NEW}`}>
            <PlusIcon className="size-5" />
            New <span className="max-lg:sr-only">way</span>
          </ButtonLink>
        )
      }
    >
      {done?.ok && <Notice kind="done">{done.what}</Notice>}
      {refused && <Notice kind="error">{notDoneText(refused, "Nothing was saved.")}</Notice>}
      {rows.length === 0 ? (
        <p className="py-6 text-muted">No further ways yet, so every home delivery is the standard one.</p>
      ) : (
        <Ways />
      )}
      {open && <WayForm key={open.id || NEW} />}
      <HandoverSwitches ways={handover} mayChange={mayChange} />
    </Page>
  );
}

type Row = Awaited<ReturnType<typeof loader>>["rows"][number];

function Ways() {
  const { rows } = useLoaderData<typeof loader>();
  return (
    <Table
      label="Ways of delivery"
      rows={rows}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      href={({ id }) => `/delivery/ways?way=${id}`}
      columns={COLUMNS}
      narrow={{ lead: ({ name }) => name, about: aboutText }}
    />
  );
}

const COLUMNS: Column<Row>[] = [
  { head: "Way", tone: "strong", cell: ({ name }) => name },
  { head: "Days and places", tone: "muted", cell: aboutText },
  { head: "Price", slot: "sum", align: "end", cell: ({ price }) => price },
  {
    head: "State",
    slot: "state",
    cell: ({ active }) => <State tone={active ? "done" : "rest"}>{active ? "On" : "Off"}</State>,
  },
];

function aboutText({ promise, places }: Row): string {
  return `${promise}: ${places}`;
}

/** The button that switches a way on or off. */
function Switch({ id, active }: { id: string; active: boolean }) {
  return (
    <Form method="post" preventScrollReset className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="to" value={active ? "off" : "on"} />
      <span>{active ? "The checkout offers it." : "The checkout doesn’t offer it."}</span>
      <Button name="intent" value="switch" look="line">
        {active ? "Switch off" : "Switch on"}
      </Button>
    </Form>
  );
}

function WayForm() {
  const { open, rows } = useLoaderData<typeof loader>();
  const form = useVersioned(open?.version ?? 0, useAnswer<typeof action>());
  if (!open) return null;
  const theirs = rows.flatMap((row) => (row.id === open.id ? [row.name, row.price, aboutText(row)] : [])).join("; ");
  return (
    <section className="mt-8">
      <h2 className="mb-4 text-lg font-semibold">{open.id ? open.name : "New way of delivery"}</h2>
      {open.id && <Switch id={open.id} active={open.active} />}
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="save" />
        <input type="hidden" name="id" value={open.id} />
        <input type="hidden" name="version" value={form.seen} />
        <StaleNotice form={form} what="this way" theirs={theirs} />
        {Object.keys(form.problems).length > 0 && (
          <Notice kind="error">Check the marked fields. Nothing was saved.</Notice>
        )}
        <WayFields values={form.typed ?? open.values} problems={form.problems} places={open.places} />
        <SaveButton isPending={form.isPending} className="mt-7" />
      </Form>
    </section>
  );
}
