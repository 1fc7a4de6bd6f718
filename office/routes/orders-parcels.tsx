import { useEffect, useState } from "react";
import { Form, type LoaderFunctionArgs, redirect, useFetcher, useLoaderData, useNavigation } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { parcelLabel } from "#app/owner/orders/parcels/label.ts";
import { markManySent, type PlannedParcel } from "#app/owner/orders/parcels/parcels.server.ts";
import { MOST_PARCELS } from "#app/owner/orders/parcels/parcels.ts";
import { useAnswer } from "../connection/answer.ts";
import { useScriptsFor } from "../connection/scripts-ahead.browser.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { keepWhatIsTyped, unlessOffline } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { RecentWork } from "../frame/progress.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { numbersOf } from "../orders/list/filters.server.ts";
import { PlanTable } from "../orders/many/plan-table.tsx";
import { type ParcelPlan, sheetKey } from "../orders/parcel-plan.ts";
import { recentSheets, SHEET_FORM, sheetWorks } from "../orders/sheet.server.ts";

export function loader({ request, context }: LoaderFunctionArgs) {
  const { id } = requirePermission(context, "packing");
  return { numbers: numbersOf(new URL(request.url).searchParams), works: recentSheets(id) };
}

const sheet = z.object({
  rows: z.string().trim().min(1, "Paste the rows first").max(100_000, "That’s too much at once"),
  carrier: parcelLabel,
  withoutNumber: z.literal("on").optional(),
});

export const action = changes({
  mark: change({
    needs: "packing",
    size: SHEET_FORM,
    fields: sheet,
    run: async ({ by, staff, fields: { rows, carrier, withoutNumber } }) => {
      const pasted = { text: rows, carrier, withoutNumber: withoutNumber === "on" };
      const id = await sheetWorks.begin(staff.id, (onProgress) => markManySent(db(), by, pasted, onProgress));
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
  const [withoutNumber, setWithoutNumber] = useState(false);
  useScriptsFor("/orders/parcels/plan");
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
  const toAsk = count("ask");
  const toDo = count("send", "correct") + (withoutNumber ? toAsk : 0);
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
            onChange={(event) => {
              setRows(event.target.value);
              setWithoutNumber(false); // the confirmation was about other rows
            }}
            placeholder={"IR-7K3M-2Q\tGIG Logistics\tGIG-4711-0871-LA"}
            spellCheck={false}
            className="input font-mono"
          />
        </Field>
        <Field label="Carrier for rows without one" note="optional" problem={problems.carrier}>
          <input
            name="carrier"
            value={carrier}
            onChange={(event) => setCarrier(event.target.value)}
            autoComplete="off"
            className="input"
          />
        </Field>
        {toAsk > 0 && (
          <label className="tick">
            <input
              type="checkbox"
              name="withoutNumber"
              checked={withoutNumber}
              onChange={({ target }) => setWithoutNumber(target.checked)}
            />
            {`Send the ${toAsk === 1 ? "one" : toAsk} without a carrier’s number, too: the shopper gets none`}
          </label>
        )}
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
              (isOfTyped
                ? summary(toDo, withoutNumber ? 0 : toAsk, count("nothing"), count("fail"))
                : "Checking the rows…")}
          </p>
        </div>
      </Form>
      {planned.length > 0 && (
        <div className={isOfTyped ? "" : "opacity-50"}>
          <PlanTable planned={planned.map((one) => ("number" in one ? one : { ...one, number: one.text }))} />
        </div>
      )}
    </Page>
  );
}

function summary(toDo: number, asked: number, nothing: number, wrong: number): string {
  return [
    `${toDo} to mark`,
    asked > 0 && `${asked} without a number`,
    nothing > 0 && `${nothing} sent already`,
    wrong > 0 && `${wrong} with a mistake`,
  ]
    .filter(Boolean)
    .join(", ");
}
