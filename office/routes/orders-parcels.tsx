import { useEffect, useState } from "react";
import { Form, type LoaderFunctionArgs, redirect, useFetcher, useLoaderData, useNavigation } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { markManySent, type PlannedParcel } from "#app/owner/orders/parcels.server.ts";
import { MOST_PARCELS } from "#app/owner/orders/parcels.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { keepWhatIsTyped, unlessOffline } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { RecentWork } from "../frame/progress.tsx";
import { State, type Tone } from "../frame/state.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { numbersOf } from "../orders/filters.server.ts";
import { type ParcelPlan, sheetKey } from "../orders/parcel-plan.ts";
import { recentSheets, sheetWorks } from "../orders/sheet.server.ts";

export function loader({ request, context }: LoaderFunctionArgs) {
  const { id } = requirePermission(context, "orders");
  return { numbers: numbersOf(new URL(request.url).searchParams), works: recentSheets(id) };
}

const sheet = z.object({
  rows: z.string().trim().min(1, "Paste the rows first").max(100_000, "That is too much at once"),
  carrier: z.string().trim().max(100, "At most 100 letters").default(""),
});

export const action = changes({
  mark: change({
    needs: "orders",
    fields: sheet,
    run: async ({ by, staff, fields: { rows, carrier } }) => {
      const id = await sheetWorks.begin(staff.id, (onProgress) =>
        markManySent(db(), by, { text: rows, carrier: carrier || undefined }, onProgress),
      );
      return redirect(`/orders/parcels/${id}`);
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

const TYPING_PAUSE = 300; // ms

export default function Parcels() {
  const { numbers, works } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const [rows, setRows] = useState(numbers.join("\n"));
  const [carrier, setCarrier] = useState("");
  const plan = useFetcher<ParcelPlan>();
  const { submit } = plan;
  useEffect(() => {
    if (rows.trim() === "") return;
    const timer = setTimeout(
      () => void submit({ rows, carrier }, { method: "post", action: "/orders/parcels/plan" }),
      TYPING_PAUSE,
    );
    return () => clearTimeout(timer);
  }, [rows, carrier, submit]);
  const planned = rows.trim() === "" ? [] : (plan.data?.planned ?? []);
  const isOfTyped = plan.data?.of === sheetKey(rows, carrier);
  const count = (...kinds: PlannedParcel["will"][]) => planned.filter(({ will }) => kinds.includes(will)).length;
  const toDo = count("send", "correct");
  const isPending = useNavigation().formData !== undefined;
  const problems = done && !done.ok && "problems" in done ? done.problems : {};
  return (
    <Page
      title="Mark as sent"
      back={{ to: "/orders", title: "Orders" }}
      about="Paste rows from a sheet: the order, the carrier, its number, in any order of columns"
    >
      <RecentWork works={works} />
      <Form method="post" className="mt-5 grid gap-4.5 lg:max-w-240">
        <Field label="Rows" note={`up to ${MOST_PARCELS}`} problem={problems.rows}>
          <textarea
            name="rows"
            rows={8}
            value={rows}
            onChange={(event) => setRows(event.target.value)}
            placeholder={"IR-7K3M-2Q\tGIG Logistics\tGIG-4711-0871-LA"}
            spellCheck={false}
            className="input font-mono"
          />
        </Field>
        <Field label="Carrier of rows that name none" note="optional" problem={problems.carrier}>
          <input
            name="carrier"
            value={carrier}
            onChange={(event) => setCarrier(event.target.value)}
            autoComplete="off"
            className="input"
          />
        </Field>
        {done && !done.ok && "problem" in done && <Notice kind="error">{done.problem}</Notice>}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            name="intent"
            value="mark"
            isPending={isPending}
            isDisabled={toDo === 0 || !isOfTyped}
            className="min-h-12 max-lg:w-full lg:min-h-10"
          >
            {isPending ? "Working…" : `Mark ${toDo} as sent`}
          </Button>
          <p role="status" className="text-muted tabular-nums">
            {planned.length > 0 &&
              (isOfTyped ? summary(toDo, count("nothing"), count("fail")) : "Looking at the rows…")}
          </p>
        </div>
      </Form>
      {planned.length > 0 && (
        <div className={isOfTyped ? "" : "opacity-50"}>
          <Plan planned={planned} />
        </div>
      )}
    </Page>
  );
}

function summary(toDo: number, nothing: number, wrong: number): string {
  return [`${toDo} to mark`, nothing > 0 && `${nothing} sent already`, wrong > 0 && `${wrong} with a mistake`]
    .filter(Boolean)
    .join(", ");
}

const TONES: Record<PlannedParcel["will"], Tone> = {
  send: "done",
  correct: "waiting",
  nothing: "rest",
  fail: "person",
};

/** Row by row, what would be done and what is wrong. */
function Plan({ planned }: { planned: PlannedParcel[] }) {
  return (
    <table aria-label="What would be done" className="rows mt-5">
      <thead>
        <tr>
          {["Row", "Order", "Customer", "To", "Carrier", "Number", "What happens"].map((head) => (
            <th key={head}>{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {planned.map((parcel) => {
          const named = "number" in parcel ? parcel : { number: parcel.text, carrier: undefined, tracking: undefined };
          return (
            <tr key={parcel.line}>
              <td data-slot="" data-tone="muted">
                {parcel.line}
              </td>
              <td data-slot="lead" className="tabular-nums">
                {named.number}
              </td>
              <td data-slot="">{parcel.customer}</td>
              <td data-slot="">{parcel.to}</td>
              <td data-slot="">{named.carrier}</td>
              <td data-slot="sum" className="tabular-nums">
                {named.tracking}
              </td>
              <td data-slot="about" data-wrap="">
                <State tone={TONES[parcel.will]}>
                  <span className="lg:hidden">Row {parcel.line}: </span>
                  {parcel.says}
                </State>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
