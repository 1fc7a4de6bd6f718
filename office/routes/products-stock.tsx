import { type ReactNode, useEffect, useRef } from "react";
import {
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useFetcher,
  useLoaderData,
  useSearchParams,
} from "react-router";
import { z } from "zod";
import { kindField } from "#app/catalog/kind-field.server.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { MOST_IN_STOCK, ONE_SIZE, SIZES, sizeName } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { readStorableJson } from "#app/infra/text/storable-text.ts";
import { approximateNaira } from "#app/money/exchange-rate.ts";
import { formatNaira, formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { saveStock } from "#app/owner/catalog/stock.server.ts";
import { MOST_EDITS } from "#app/owner/catalog/stock-edit.ts";
import { countStock, STOCK_SORTS, STOCK_VIEWS, stockGrid } from "#app/owner/catalog/stock-grid.server.ts";
import { may } from "#app/staff/roles.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { keepWhatIsTyped, unlessOffline, useFresh } from "../frame/fresh.browser.tsx";
import { Pager, Search, SelectFilter } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { change, changes } from "../http/changes.server.ts";
import { MB } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { useKindOptions } from "../kinds/context.ts";
import { Cards } from "../stock/cards.browser.tsx";
import { Grid } from "../stock/grid.browser.tsx";
import { Problems } from "../stock/problems.tsx";
import { SaveBar, useReason } from "../stock/save-bar.tsx";
import type { Edits } from "../stock/sheet.ts";
import { ProductTabs } from "../stock/tabs.tsx";
import { useSheet } from "../stock/use-sheet.browser.tsx";

const place = z.string().max(400).optional().catch(undefined);
const asked = z.object({
  view: z.enum(STOCK_VIEWS).catch("all"),
  sort: z.enum(STOCK_SORTS).catch("shop"),
  kind: kindField.optional().catch(undefined),
  q: z.string().trim().max(200).optional().catch(undefined),
  before: place,
  after: place,
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "products");
  const { q, before, after, ...search } = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  const [grid, counts, { rate }] = await Promise.all([
    stockGrid(db(), { ...search, text: q }, { before, after }),
    countStock(db()),
    rateInForce(db()),
  ]);
  return { ...grid, counts, rate, view: search.view, mayChange: may(role, "catalogue") };
}

const units = z.int().min(0).max(MOST_IN_STOCK);
const edit = z.object({
  id: z.string(),
  size: z.string(),
  supplied: z.int(),
  onHand: z.int(),
  typed: units,
  key: z.uuid(),
});
const json = <Read,>(schema: z.ZodType<Read>) =>
  z
    .string()
    .transform((text, context): unknown => {
      const read = readStorableJson(text, 8 * MOST_EDITS);
      if (read !== undefined) return read;
      context.addIssue({ code: "custom", message: "These aren’t numbers of pieces" });
      return z.NEVER;
    })
    .pipe(schema);

export const action = changes({
  save: change({
    needs: "catalogue",
    size: { bytes: 2 * MB },
    fields: z.object({
      changes: json(z.array(edit).min(1).max(MOST_EDITS, `At most ${MOST_EDITS} sizes at once`)),
      reason: z.string().trim().min(1, "Say why").max(100, "At most 100 characters"),
      agreed: json(z.array(z.string())).optional(),
    }),
    run: async ({ by, fields }) => {
      const done = await saveStock(db(), by, fields);
      if (!done.ok) return { ...done, problem: "Nothing was saved." };
      const moved = done.moved.map(
        ({ title, size, typed, after }) =>
          `${title} ${sizeName(size)}: you typed ${typed}, ${typed - after} sold meanwhile, ${after} in stock.`,
      );
      return {
        ok: true,
        what: [`${done.count === 1 ? "1 size is" : `${done.count} sizes are`} saved.`, ...moved].join(" "),
      };
    },
  }),
});
export const clientAction = keepWhatIsTyped;

/** Reloads the numbers after a conflict, too, since the conflict is shown beside the current ones. */
export function shouldRevalidate(given: ShouldRevalidateFunctionArgs): boolean {
  return unlessOffline({
    ...given,
    defaultShouldRevalidate: given.defaultShouldRevalidate || given.actionStatus === 422,
  });
}

export default function ProductsStock() {
  useFresh();
  const { rows, newer, older, counts, rate, view, mayChange } = useLoaderData<typeof loader>();
  const editor = useSheet();
  const why = useReason(editor.sheet.edits);
  const save = useSave(editor, why);
  const notices = useRef<HTMLDivElement>(null);
  const { data } = save;
  useEffect(() => {
    if (data && !data.ok) notices.current?.scrollIntoView({ block: "center" });
  }, [data]);
  const sizes = [...SIZES, ...(rows.some((row) => row.sizes.some(({ size }) => size === ONE_SIZE)) ? [ONE_SIZE] : [])];
  const priceOf = (cents: number): ReactNode => (
    <>
      {formatNaira(approximateNaira(usdCents(cents), rate))}{" "}
      <small className="block text-[0.8125rem] text-muted">{formatUsd(usdCents(cents))}</small>
    </>
  );
  const shown = { rows, editor, mayChange, priceOf };
  const isEdited = editor.sheet.edits.size > 0;
  return (
    <Page
      title="Stock"
      back={{ to: "/products", title: "Products" }}
      actions={
        mayChange && (
          <ButtonLink to="/products/import" look="line">
            Import
          </ButtonLink>
        )
      }
    >
      <ProductTabs current={view} {...counts} />
      <Filters />
      <div ref={notices}>
        {data?.ok && !isEdited && <Notice kind="done">{data.what}</Notice>}
        {data && !data.ok && "sizes" in data && data.sizes && <Problems sizes={data.sizes} editor={editor} />}
        {data &&
          !data.ok &&
          "doubts" in data &&
          data.doubts &&
          data.doubts.length > 0 &&
          !data.sizes?.length &&
          isEdited && (
            <Doubts doubts={data.doubts} isPending={save.isPending} onAgree={(doubts) => save.submit(doubts)} />
          )}
        {data && !data.ok && "isOffline" in data && "problem" in data && <Notice kind="offline">{data.problem}</Notice>}
      </div>
      {rows.length === 0 ? (
        <Empty />
      ) : (
        <>
          <Grid {...shown} sizes={sizes} onSave={() => save.submit()} />
          <Cards {...shown} />
          <Pager
            about={`${plural(rows.length, "product")} on this page`}
            newer={newer}
            older={older}
            names={["Back", "Next"]}
          />
        </>
      )}
      <SaveBar
        editor={editor}
        why={why}
        isPending={save.isPending}
        problem={save.problem}
        onSave={() => save.submit()}
      />
      {isEdited && <div className="h-24 lg:hidden" />}
    </Page>
  );
}

/** Saves all edits of the sheet, and then removes the saved ones from it. */
function useSave(editor: ReturnType<typeof useSheet>, why: ReturnType<typeof useReason>) {
  const fetcher = useFetcher<typeof action>();
  const sent = useRef<Edits>(undefined);
  const isPending = fetcher.state !== "idle";
  const { data } = fetcher;
  const { saved } = editor;
  const { forget } = why;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!data?.ok || !sent.current) return;
    saved(sent.current);
    forget();
    sent.current = undefined;
  }, [data]);
  const submit = (agreed: string[] = []) => {
    if (isPending || editor.sheet.edits.size === 0) return;
    sent.current = editor.sheet.edits;
    const typed = [...editor.sheet.edits.values()].map(({ id, size, supplied, onHand, typed, key }) => ({
      id,
      size,
      supplied,
      onHand,
      typed,
      key,
    }));
    const fields = {
      intent: "save",
      changes: JSON.stringify(typed),
      reason: why.reason,
      agreed: JSON.stringify(agreed),
    };
    void fetcher.submit(fields, { method: "post" });
  };
  const problems = data && !data.ok && "problems" in data ? Object.values(data.problems) : [];
  return { submit, isPending, data, problem: problems[0] };
}

function Doubts({
  doubts,
  isPending,
  onAgree,
}: {
  doubts: string[];
  isPending: boolean;
  onAgree(doubts: string[]): void;
}) {
  return (
    <Notice
      kind="conflict"
      actions={
        <Button type="button" look="line" isPending={isPending} onPress={() => onAgree(doubts)}>
          That’s right, save
        </Button>
      }
    >
      <strong className="font-semibold">This looks like a typing mistake. Nothing was saved.</strong>
      <ul>
        {doubts.map((doubt) => (
          <li key={doubt}>{doubt}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Filters() {
  const kinds = useKindOptions();
  return (
    <div className="flex flex-wrap items-center gap-2 py-3">
      <Search label="Title, colour or kind" />
      <SelectFilter name="kind" label="Kind" options={kinds} />
      <SelectFilter name="sort" label="As in the shop" options={{ title: "By title" }} />
      <p className="ml-auto text-muted max-lg:hidden">Paste a block from a sheet, Enter goes down, Ctrl Z takes back</p>
    </div>
  );
}

function Empty() {
  const [params] = useSearchParams();
  const isNarrowed = ["q", "kind"].some((name) => params.get(name));
  const words = { out: "No size is sold out.", few: "No size is nearly out." };
  const view = params.get("view");
  return (
    <div className="grid justify-items-start gap-3 py-6">
      <p className="text-muted">
        {isNarrowed
          ? "No products match."
          : view === "out" || view === "few"
            ? words[view]
            : "There are no products yet."}
      </p>
      {params.size > 0 && (
        <ButtonLink look="line" to="/products/stock">
          See the stock of all products
        </ButtonLink>
      )}
    </div>
  );
}
