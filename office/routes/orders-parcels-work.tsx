import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { ButtonLink } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { Progress } from "../frame/progress.tsx";
import { State } from "../frame/state.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { sheetWorks } from "../orders/sheet.server.ts";

export function loader({ params, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "orders");
  const work = sheetWorks.find(staff.id, params.work ?? "");
  if (!work) throw data(null, 404);
  const { rows, done, all, isDone, failed } = work;
  return { rows, done, all, isDone, failed };
}

export default function ParcelsWork() {
  const { rows, done, all, isDone, failed } = useLoaderData<typeof loader>();
  const sent = rows.filter(({ ok }) => ok).length;
  const wrong = rows.filter(({ ok }) => !ok);
  return (
    <Page title="Mark as sent" back={{ to: "/orders", title: "Orders" }}>
      {!isDone && <Progress done={done} all={all} />}
      {isDone && failed && (
        <Notice kind="error">
          <strong className="font-semibold">It ended before all rows were done.</strong> Paste them again: what is
          marked already stays as it is.
        </Notice>
      )}
      {isDone && !failed && (
        <Notice kind="done">
          <strong className="font-semibold">{sent === 1 ? "1 order is" : `${sent} orders are`} marked as sent.</strong>{" "}
          Their shoppers are told.
        </Notice>
      )}
      {wrong.length > 0 && (
        <>
          <h2 className="mt-6">Not marked</h2>
          <ul className="mt-2">
            {wrong.map(({ line, number, text, says }) => (
              <li key={line} className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-b border-hairline py-2.5">
                <span className="tabular-nums">
                  Row {line}: {number ?? text}
                </span>
                <State tone="person">{says}</State>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-6 flex gap-2">
        <ButtonLink to="/orders?view=to-send">To what waits to be sent</ButtonLink>
        <ButtonLink to="/orders/parcels" look="line">
          Paste more
        </ButtonLink>
      </p>
    </Page>
  );
}
