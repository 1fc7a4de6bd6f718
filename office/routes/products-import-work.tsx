import { data, Form, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { Button, ButtonLink } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { Progress } from "../frame/progress.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { writes } from "../import/works.server.ts";

export function loader({ params: { work: id = "" }, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "catalogue");
  const work = writes.find(staff.id, id);
  if (!work) throw data(null, 404);
  const { done, all, isDone, failed, result } = work;
  return { done, all, isDone, failed, result };
}

export default function ImportWork() {
  const { done, all, isDone, failed, result } = useLoaderData<typeof loader>();
  return (
    <Page title="Import products" back={{ to: "/products/import", title: "Import products" }}>
      {!isDone && <Progress done={done} all={all} what="products written" />}
      {failed && (
        <Notice kind="error">
          <strong className="font-semibold">It stopped before everything was saved, so nothing was.</strong> Import the
          table again.
        </Notice>
      )}
      {result?.ok && (
        <Notice kind="done">
          <strong className="font-semibold">
            {result.created} new, {result.changed} changed.
          </strong>{" "}
          The shop shows it now; new pictures follow as they are made.
        </Notice>
      )}
      {result && !result.ok && <Refused problem={result.problem} preview={result.preview} />}
      <p className="mt-6 flex flex-wrap gap-2">
        <ButtonLink to="/products">Go to products</ButtonLink>
        <ButtonLink to="/products/import" look="line">
          Import more
        </ButtonLink>
      </p>
    </Page>
  );
}

/** Shown if the data has changed since the preview. The table is kept and can be previewed again. */
function Refused({ problem, preview }: { problem: string; preview: string }) {
  const [first, ...lines] = problem.split("\n");
  const shown = lines.slice(0, 20);
  return (
    <Notice
      kind="conflict"
      actions={
        <Form method="post" action="/products/import">
          <input type="hidden" name="again" value={preview} />
          <Button look="line">Show the changes again</Button>
        </Form>
      }
    >
      <strong className="font-semibold">{first}</strong>
      <ul>
        {shown.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {lines.length > shown.length && <p>and {lines.length - shown.length} more</p>}
    </Notice>
  );
}
