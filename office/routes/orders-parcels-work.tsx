import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import type { SentParcel } from "#app/owner/orders/parcels/parcels.server.ts";
import { takeableActs, takeBack } from "#app/owner/orders/take-back.server.ts";
import { actorOf } from "#app/staff/sessions.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { ButtonLink } from "../frame/button.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { Progress } from "../frame/progress.tsx";
import { State } from "../frame/state.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { sheetWorks } from "../orders/sheet.server.ts";
import { TakeBack } from "../orders/take-back.tsx";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "packing");
  const work = sheetWorks.find(staff.id, params.work ?? "");
  if (!work) throw data(null, 404);
  const { rows, done, all, isDone, failed } = work;
  const takeable = isDone ? await takeableActs(db(), numbersOf(rows), actorOf(staff)) : [];
  return { rows, done, all, isDone, failed, takeable: takeable.map(({ number, seconds }) => ({ number, seconds })) };
}

const numbersOf = (rows: SentParcel[]) => rows.flatMap(({ ok, number }) => (ok && number ? [number] : []));

export const action = changes({
  "take-back": change({
    needs: "packing",
    fields: z.object({}),
    run: async ({ by, staff, params: { work = "" } }) => {
      const rows = sheetWorks.find(staff.id, work)?.rows ?? [];
      let taken = 0;
      for (const one of await takeableActs(db(), numbersOf(rows), by)) if ((await takeBack(db(), by, one)).ok) taken++;
      const late = numbersOf(rows).length - taken;
      if (taken === 0) return { ok: false, problem: "It’s too late to take them back: their shoppers are told" };
      return {
        ok: true,
        what: `${plural(taken, "order is", "orders are")} no longer marked as sent${late > 0 ? `; for ${late} it’s too late` : ""}`,
      };
    },
  }),
});
export { alsoAfterRefusal as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;

export default function ParcelsWork() {
  const { rows, done, all, isDone, failed, takeable } = useLoaderData<typeof loader>();
  const answer = useAnswer<typeof action>();
  const sent = rows.filter(({ ok }) => ok).length;
  const wrong = rows.filter(({ ok }) => !ok);
  return (
    <Page title="Mark as sent" back={{ to: "/orders", title: "Orders" }}>
      {!isDone && <Progress done={done} all={all} />}
      {isDone && failed && (
        <Notice kind="error">
          <strong className="font-semibold">It stopped before all rows were done.</strong> Paste them again. Orders that
          are already marked stay as they are.
        </Notice>
      )}
      {answer?.ok && <Notice kind="done">{answer.what}.</Notice>}
      {answer && "problem" in answer && <Notice kind="error">{answer.problem}.</Notice>}
      {isDone && !failed && !answer?.ok && (
        <Notice
          kind="done"
          actions={takeable.length > 0 && <TakeBack seconds={Math.max(...takeable.map(({ seconds }) => seconds))} />}
        >
          <strong className="font-semibold">
            <span>{sent === 1 ? "1 order is" : `${sent} orders are`}</span> marked as sent.
          </strong>{" "}
          We’ve emailed the shoppers.
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
        <ButtonLink to="/orders?view=to-send">Orders to send</ButtonLink>
        <ButtonLink to="/orders/parcels" look="line">
          Paste more
        </ButtonLink>
      </p>
    </Page>
  );
}
