import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { useAnswer } from "../connection/answer.ts";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { Result } from "../orders/many/result.tsx";
import { takeableFor, takeBackAll } from "../orders/many/take-back.server.ts";
import { sentBy, sheetWorks } from "../orders/sheet.server.ts";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "packing");
  const work = sheetWorks.find(staff.id, params.work ?? "");
  if (!work) throw data(null, 404);
  const { rows, done, all, isDone, failed } = work;
  return {
    rows,
    work: { done, all, isDone, failed },
    seconds: isDone ? await takeableFor(staff, sentBy(rows)) : undefined,
  };
}

export const action = changes({
  "take-back": takeBackAll((staffId, id) => sentBy(sheetWorks.find(staffId, id)?.rows ?? [])),
});
export { alsoAfterRefusal as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;

export default function ParcelsWork() {
  const { rows, work, seconds } = useLoaderData<typeof loader>();
  const wrong = rows.filter(({ ok }) => !ok);
  return (
    <Result
      as="sent"
      work={work}
      answer={useAnswer<typeof action>()}
      seconds={seconds}
      marked={rows.length - wrong.length}
      withEmail={rows.filter(({ ok, hasEmail }) => ok && hasEmail).length}
      isTold
      wrong={wrong.map(({ line, number, text, says }) => ({ name: `Row ${line}: ${number ?? text}`, says }))}
      again="Paste them again."
      next={{ to: "/orders/parcels", title: "Paste more" }}
    />
  );
}
