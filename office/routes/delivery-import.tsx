import { useEffect, useState } from "react";
import { Form, type LoaderFunctionArgs, useFetcher, useNavigation } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { importRates, type RatesImport } from "#app/owner/delivery/import.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { useScriptsFor } from "../connection/scripts-ahead.browser.ts";
import { RATES_FORM, ratesFile } from "../delivery/file.ts";
import { Button, ButtonLink, PlainLink } from "../frame/button.tsx";
import { keepWhatIsTyped, notDoneText, unlessOffline } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { State, type Tone } from "../frame/state.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { FileRows } from "../import/file-rows.tsx";

export function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "delivery");
  return null;
}

export const action = changes({
  import: change({
    needs: "delivery",
    size: RATES_FORM,
    fields: ratesFile.extend({ digest: z.string() }),
    run: async ({ by, fields: { text, all, digest } }) => {
      const done = await importRates(db(), by, { text, isAll: all === "on", digest });
      if ("isStale" in done) return { ...done, problem: "Check the changes again" };
      return done;
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

const TYPING_PAUSE = 300; // ms

export default function DeliveryImport() {
  const done = useAnswer<typeof action>();
  const [text, setText] = useState("");
  const [isAll, setAll] = useState(false);
  useScriptsFor("/delivery/import/plan");
  const preview = useFetcher<RatesImport>();
  const { submit } = preview;
  useEffect(() => {
    if (text.trim() === "" || done?.ok) return;
    const look = () =>
      submit({ text, ...(isAll && { all: "on" }) }, { method: "post", action: "/delivery/import/plan" });
    const timer = setTimeout(look, TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text, isAll, done, submit]);
  const plan = text.trim() === "" ? undefined : preview.data;
  const count = plan ? plan.added.length + plan.changed.length + plan.dropped.length : 0;
  const isRefused = isAll && plan !== undefined && plan.faults.length > 0;
  const isPending = useNavigation().formData !== undefined;
  return (
    <Page
      title="Import delivery rates"
      back={{ to: "/delivery", title: "Delivery" }}
      about="You see every change before it’s saved"
      actions={
        <PlainLink href="/delivery/export.csv" download>
          Current rates as CSV
        </PlainLink>
      }
    >
      {done?.ok ? (
        <Notice kind="done" actions={<ButtonLink to="/delivery">Back to the rates</ButtonLink>}>
          <strong className="font-semibold">{done.what}.</strong> The checkout uses it from now on.
        </Notice>
      ) : (
        <Form method="post" className="mt-5 grid gap-4.5 lg:max-w-240">
          <FileRows
            accept=".csv,.json,text/csv,application/json"
            kinds="CSV, or JSON as the document Shopping/Shipping"
            text={text}
            onText={setText}
            placeholder={"kind,name,dollars,state,address,landmark,hours,bring\nstate,Lagos,3.50"}
            problem={done && "problems" in done ? done.problems.text : undefined}
          />
          <label className="tick">
            <input type="checkbox" name="all" checked={isAll} onChange={({ target }) => setAll(target.checked)} />
            This is the whole list: places not in it get no delivery
          </label>
          <input type="hidden" name="digest" value={plan?.digest ?? ""} />
          {done && !done.ok && "problem" in done && (
            <Notice kind={done.isStale ? "conflict" : "error"}>
              {done.isStale && <strong className="font-semibold">The rates have changed. </strong>}
              {notDoneText(done, "Nothing was imported.")}
            </Notice>
          )}
          {plan && <Preview plan={plan} isAll={isAll} />}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button
              name="intent"
              value="import"
              isPending={isPending}
              isDisabled={count === 0 || isRefused || preview.state !== "idle"}
              className="min-h-12 max-lg:w-full lg:min-h-10"
            >
              {isPending
                ? "Writing…"
                : plan?.isDoubtful
                  ? `Yes, write ${count === 1 ? "this change" : `these ${count} changes`}`
                  : `Write ${count === 1 ? "1 change" : `${count} changes`}`}
            </Button>
            <p role="status" className="text-muted tabular-nums">
              {plan &&
                `${plan.unchanged} unchanged${plan.faults.length > 0 ? `, ${mistakes(plan.faults.length)}` : ""}`}
            </p>
          </div>
        </Form>
      )}
    </Page>
  );
}

const mistakes = (count: number) => (count === 1 ? "1 mistake" : `${count} mistakes`);

function Preview({ plan, isAll }: { plan: RatesImport; isAll: boolean }) {
  const rows = [
    ...plan.changed.map((one) => ({ ...one, tone: "waiting" as Tone, what: "Changed" })),
    ...plan.added.map((one) => ({ ...one, tone: "done" as Tone, what: "New" })),
    ...plan.dropped.map((one) => ({ ...one, tone: "person" as Tone, what: "No more" })),
  ];
  return (
    <div aria-live="polite">
      {plan.faults.length > 0 && (
        <Notice kind="error">
          <strong className="font-semibold">{mistakes(plan.faults.length)}.</strong>{" "}
          <span>
            {isAll ? "Nothing can be imported until they’re fixed." : "The other rows can be imported without them."}
          </span>
          <ul className="mt-1">
            {plan.faults.map(({ row, column, what }) => (
              <li key={`${row} ${column} ${what}`} className="tabular-nums">
                {[row !== undefined && `Row ${row}`, column].filter(Boolean).join(", ")}: {what}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {plan.isDoubtful && (
        <Notice kind="error">
          <strong className="font-semibold">Is that right?</strong> Places are removed, many rates change, a rate
          changes a lot, a new one is zero or far from the others, or states have no rate, which makes delivery there
          free.
        </Notice>
      )}
      {plan.notes.map((note) => (
        <p key={note} className="mt-3 text-muted">
          {note}.
        </p>
      ))}
      {rows.length > 0 ? (
        <table aria-label="What would be changed" className="rows mt-4">
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">What happens</th>
              <th scope="col" data-align="end">
                Now
              </th>
              <th scope="col" data-align="end">
                Then
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, before, after, tone, what, isDoubtful }) => (
              <tr key={name}>
                <td data-slot="lead">{name}</td>
                <td data-slot="state">
                  <State tone={isDoubtful ? "person" : tone}>{what}</State>
                </td>
                <td data-slot="about" data-align="end" data-tone="muted">
                  {before}
                </td>
                <td data-slot="sum" data-align="end" data-tone="strong">
                  {after}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        plan.faults.length === 0 && <p className="mt-3">Nothing would change. All of it is already like that.</p>
      )}
    </div>
  );
}
