import { Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { readStorableJson } from "#app/infra/text/storable-text.ts";
import { keepCourierColumns, readCourierColumns } from "#app/owner/orders/courier/columns.server.ts";
import { CELLS, courierColumns, HEADING_MAX, MOST_COLUMNS } from "#app/owner/orders/courier/columns.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { PlainLink, SaveButton } from "../frame/button.tsx";
import { keepWhatIsTyped, unlessOffline, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { NotPrinted } from "../orders/print/page.tsx";
import { toPrint } from "../orders/print/print.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { role } = requirePermission(args.context, "export");
  const { orders, leftOut } = await toPrint(args);
  return {
    stay: orders.flatMap(({ number, whyNot }) => (whyNot ? [{ number, whyNot }] : [])),
    leave: orders.flatMap(({ number, whyNot }) => (whyNot ? [] : [number])),
    leftOut,
    columns: await readCourierColumns(db()),
    mayChange: may(role, "service"),
  };
}

/** The most rows of the form: the most columns, and 3 empty rows. */
const ROWS = MOST_COLUMNS + 3;
const texts = z.array(z.string()).max(ROWS);
const fields = z.object({ heading: texts, cell: texts, was: z.string().transform((text) => readStorableJson(text)) });

export const action = changes({
  columns: change({
    needs: "service",
    size: { fields: 3 * ROWS },
    fields: fields.transform(({ heading, cell, was }, context) => {
      const typed = courierColumns.safeParse(heading.map((one, at) => ({ heading: one, cell: cell[at] })));
      if (typed.success) return { columns: typed.data, was };
      context.addIssue({ code: "custom", path: ["columns"], message: typed.error.issues[0]?.message });
      return z.NEVER;
    }),
    run: async ({ by, fields: { columns, was } }) => {
      const done = await keepCourierColumns(db(), by, columns, was);
      if (done.ok) return { ok: true, what: "Saved. The next files have these columns." };
      return { ...done, problem: "Somebody else has changed the columns meanwhile. Load the page again to see theirs" };
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

/** The courier's file, with a row for each chosen order, and a form for the file's columns, which are stored. */
export default function Courier() {
  useFresh();
  const { stay, leave, leftOut, mayChange } = useLoaderData<typeof loader>();
  const query = `?numbers=${leave.join(",")}`;
  return (
    <Page title="Courier’s file" about={plural(leave.length, "order")} back={{ to: "/orders", title: "Orders" }}>
      {leftOut > 0 && <Notice kind="error">{leftOut} orders are left out: download them after these.</Notice>}
      <div className="mt-5">
        <NotPrinted orders={stay} says={["isn’t in the file", "aren’t in the file"]} />
        {leave.length > 0 ? (
          <PlainLink look="solid" href={`/orders/courier.csv${query}`} download>
            Download {plural(leave.length, "order")} as CSV
          </PlainLink>
        ) : (
          <p>Tick orders in the list to download their file.</p>
        )}
      </div>
      <Section title="Columns">{mayChange ? <ColumnsForm /> : <Columns />}</Section>
    </Page>
  );
}

function Columns() {
  const { columns } = useLoaderData<typeof loader>();
  return <p>{columns.map(({ heading }) => heading).join(", ")}</p>;
}

function ColumnsForm() {
  const { columns } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  const was = JSON.stringify(columns);
  const problem = done && !done.ok && ("problem" in done ? `${done.problem}.` : Object.values(done.problems)[0]);
  const rows = [...columns, ...Array.from({ length: Math.min(3, ROWS - columns.length) }, () => undefined)];
  return (
    <Form key={was} method="post" preventScrollReset className="grid max-w-160 gap-3">
      <p className="text-muted">
        Give each column the heading that your courier asks for. A column without a heading is left out.
      </p>
      <input type="hidden" name="was" value={was} />
      {rows.map((column, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their places until the form is made anew
        <div key={index} className="grid gap-x-3 gap-y-1 sm:grid-cols-2">
          <input
            name="heading[]"
            defaultValue={column?.heading ?? ""}
            aria-label={`Heading of column ${index + 1}`}
            maxLength={HEADING_MAX}
            autoComplete="off"
            className="input"
          />
          <select
            name="cell[]"
            defaultValue={column?.cell ?? "number"}
            aria-label={`What column ${index + 1} holds`}
            className="input"
          >
            {Object.entries(CELLS).map(([cell, title]) => (
              <option key={cell} value={cell}>
                {title}
              </option>
            ))}
          </select>
        </div>
      ))}
      {done?.ok && <Notice kind="done">{done.what}</Notice>}
      {problem && <Notice kind="error">{problem}</Notice>}
      <SaveButton
        label="Save columns"
        name="intent"
        value="columns"
        look="line"
        isPending={isPending}
        className="max-lg:min-h-12 max-lg:w-full lg:justify-self-start"
      />
    </Form>
  );
}
