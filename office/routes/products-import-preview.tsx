import {
  data,
  Form,
  type LoaderFunctionArgs,
  redirect,
  useLoaderData,
  useNavigation,
  useSearchParams,
} from "react-router";
import { z } from "zod";
import { plural } from "#app/infra/text/plural.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { keepWhatIsTyped, unlessOffline } from "../frame/fresh.browser.tsx";
import { View, Views } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { Progress } from "../frame/progress.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { CurrencyForm } from "../import/currency-form.tsx";
import { lookAt } from "../import/preview.server.ts";
import { PreviewRows } from "../import/preview-rows.tsx";
import { SHOWN } from "../import/shown.ts";
import { beginImport, previews } from "../import/works.server.ts";

const asked = z.object({
  show: z.enum(SHOWN).optional().catch(undefined),
  page: z.coerce.number().int().min(1).catch(1),
});

export function loader({ request, params: { work: id = "" }, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "catalogue");
  const work = previews.find(staff.id, id);
  if (!work) throw data(null, 404);
  const { done, all, isDone, failed, result } = work;
  const { show, page } = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  return { id, all, done, isDone, failed, looked: result && lookAt(result.preview, show, page) };
}

export const action = changes({
  import: change({
    needs: "catalogue",
    fields: z.object({ agree: z.literal("on").optional() }),
    run: async ({ by, staff, fields, params: { work: id = "" } }) => {
      const previewed = previews.find(staff.id, id)?.result;
      if (!previewed) return { ok: false, problem: "This preview has expired. Choose the file again." };
      const { plan } = previewed.preview;
      if (plan.doubts.length > 0 && !fields.agree)
        return { ok: false, problems: { agree: "Tick “That’s right”, or correct the table." } };
      if (plan.created.length + plan.changed.length === 0) return { ok: false, problem: "There’s nothing to change." };
      return redirect(`/products/import/done/${await beginImport(by, staff.id, id, previewed)}`);
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

type Looked = ReturnType<typeof lookAt>;

export default function ImportPreview() {
  const { id, all, done, isDone, failed, looked } = useLoaderData<typeof loader>();
  return (
    <Page
      title="What would change"
      back={{ to: "/products/import", title: "Import products" }}
      about={looked && `${readIn(looked)} Nothing has been saved yet.`}
    >
      {!isDone && <Progress done={done} all={all} what="rows read" />}
      {failed && (
        <Notice
          kind="error"
          actions={
            <ButtonLink to="/products/import" look="line">
              Choose the file again
            </ButtonLink>
          }
        >
          <strong className="font-semibold">The table couldn’t be read completely.</strong> Nothing was changed.
        </Notice>
      )}
      {looked &&
        (looked.foreign?.asks ? <CurrencyForm shop={looked.foreign.shop} preview={id} /> : <Preview looked={looked} />)}
    </Page>
  );
}

function readIn({ rows, foreign, counts }: Looked): string {
  if (!foreign) return `${plural(rows, "row")} read.`;
  if (foreign.asks) return `This is a ${foreign.shop} file.`;
  const left = counts.left > 0 ? `, ${counts.left} left out` : "";
  return `This is a ${foreign.shop} file: ${plural(rows, "product")} in ${plural(foreign.sizes, "size")}${left}.`;
}

const TITLES = {
  wrong: "Mistakes",
  left: "Left out",
  changed: "Changed",
  new: "New",
  stock: "Stock left alone",
  same: "Unchanged",
};

function Preview({ looked }: { looked: Looked }) {
  const { counts, show, ignored } = looked;
  return (
    <>
      <Confirm looked={looked} />
      {ignored.length > 0 && (
        <Notice kind="info">
          Nothing is read from <span>{ignored.length === 1 ? "the column" : "the columns"}</span> {ignored.join(", ")},
          because products have no such field.
        </Notice>
      )}
      <div className="mt-4">
        <Views label="Kinds of changes">
          {SHOWN.filter((name) => counts[name] > 0).map((name) => (
            <View key={name} to={`?show=${name}`} current={show === name} count={counts[name]}>
              {TITLES[name]}
            </View>
          ))}
        </Views>
      </div>
      <PreviewRows looked={looked} />
      <Pages looked={looked} />
    </>
  );
}

function Confirm({ looked: { counts, badRows, doubts } }: { looked: Looked }) {
  const answer = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  const count = counts.new + counts.changed;
  const problem = answer && "problem" in answer ? answer.problem : undefined;
  const problems = answer && !answer.ok && "problems" in answer ? answer.problems : {};
  const bad = `${plural(badRows, "row")} with mistakes`;
  if (count === 0) {
    return (
      <Notice
        kind={badRows > 0 ? "error" : "info"}
        actions={
          <ButtonLink to="/products/import" look="line">
            Choose another file
          </ButtonLink>
        }
      >
        <strong className="font-semibold">
          {badRows > 0
            ? `Nothing of it can be imported: ${bad}.`
            : "Nothing would change. Everything is already like that."}
        </strong>
      </Notice>
    );
  }
  return (
    <Form method="post" className="mt-4 grid justify-items-start gap-3">
      {doubts.length > 0 && (
        <div className="w-full rounded-cut bg-waiting-ground p-3">
          <strong className="font-semibold">This looks like a mistake:</strong>
          <ul>
            {doubts.map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
          <label className="tick">
            <input
              type="checkbox"
              name="agree"
              aria-invalid={problems.agree ? true : undefined}
              aria-describedby="agree-problem"
            />
            That’s right
          </label>
          <p id="agree-problem" className="text-[0.8125rem] font-medium text-error">
            {problems.agree}
          </p>
        </div>
      )}
      {problem && <Notice kind="error">{problem}</Notice>}
      <Button name="intent" value="import" isPending={isPending} className="min-h-12 max-lg:w-full lg:min-h-10">
        {isPending ? "Importing…" : `Import ${plural(count, "product")}`}
      </Button>
      <p className="text-muted">
        <span>{badRows > 0 && `Without the ${bad}, which stay out of it. `}</span>
        Either all of it is imported, or nothing.
      </p>
    </Form>
  );
}

function Pages({ looked: { page, pages } }: { looked: Looked }) {
  const [params] = useSearchParams();
  const to = (number: number) => `?${new URLSearchParams({ ...Object.fromEntries(params), page: String(number) })}`;
  if (pages <= 1) return null;
  const link = "inline-flex min-h-11 items-center text-ink underline-offset-3 hover:underline";
  return (
    <div className="flex items-center justify-between gap-3 pt-3 text-muted tabular-nums">
      <span>
        Page {page} of {pages}
      </span>
      <span className="flex gap-5">
        {page > 1 && (
          <ButtonLink look="bare" to={to(page - 1)} className={link}>
            Back
          </ButtonLink>
        )}
        {page < pages && (
          <ButtonLink look="bare" to={to(page + 1)} className={link}>
            Next
          </ButtonLink>
        )}
      </span>
    </div>
  );
}
