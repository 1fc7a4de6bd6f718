import { isDeepStrictEqual } from "node:util";
import { Form, Link, type LoaderFunctionArgs, useLoaderData, useSearchParams, useSubmit } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { type AuditRow, auditPage } from "#app/owner/audit.server.ts";
import { endOfDay, inShopTime, startOfDay } from "#app/owner/shop-time.server.ts";
import { may, type Role } from "#app/staff/roles.ts";
import { ButtonLink } from "../frame/button.tsx";
import { Pager, Search, SelectFilter, useFilters } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { requirePermission } from "../http/staff.server.ts";

const SIZE = 50;
/** What changes are about, as the log names it. */
const KINDS = [
  "order",
  "return",
  "product",
  "rate",
  "payments",
  "shipping",
  "customer",
  "subscriber",
  "staff",
  "mails",
  "shop",
  "export",
];
const DOORS = [
  { value: "office", name: "In the office" },
  { value: "command", name: "By command" },
];
const place = z
  .string()
  .regex(/^\d{1,18}$/)
  .optional()
  .catch(undefined);
const asked = z.object({
  q: z.string().trim().max(200).optional().catch(undefined),
  kind: z.string().optional(),
  door: z.string().optional(),
  on: z.iso.date().optional().catch(undefined),
  before: place,
  after: place,
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "look");
  const { q, on, kind, door, ...at } = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  const day = on ? { since: startOfDay(on), until: endOfDay(on) } : {};
  const { changes, ...ends } = await auditPage(db(), { words: q, kind, door, ...day }, { ...at, size: SIZE });
  return {
    ...ends,
    changes: changes.map(({ before, after, ...row }) => ({
      ...row,
      ...differing(timed(before), timed(after)),
      to: placeOf(row, role),
    })),
  };
}

/** With its moments in the shop's time zone, and without the keys of what was typed, which say nothing to people. */
function timed(side: object | null): Record<string, unknown> | null {
  return side && JSON.parse(inShopTime(JSON.stringify({ ...side, keys: undefined })));
}

/** The screen of what a change is about. A product or a customer may be gone by now: the screen says so. */
function placeOf(
  { subjectKind, subjectId, number }: Pick<AuditRow, "subjectKind" | "subjectId" | "number">,
  role: Role,
) {
  const id = encodeURIComponent(subjectId);
  if (subjectKind === "order") return number && `/orders/${number}`;
  if (subjectKind === "return") return `/returns/${id}`;
  if (subjectKind === "product") return `/products/${id}`;
  return subjectKind === "customer" && may(role, "customers") ? `/customers/${id}` : undefined;
}

type Side = ReturnType<typeof timed>;

/** Of both sides what is not the same on the other. */
function differing(before: Side, after: Side): { before: Side; after: Side } {
  if (!before || !after) return { before, after };
  const of = (side: object) =>
    Object.fromEntries(
      Object.entries(side).filter(([name]) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null)),
    );
  return { before: of(before), after: of(after) };
}

export default function Audit() {
  const { changes, newer, older } = useLoaderData<typeof loader>();
  const filters = useFilters();
  const isFiltered = ["q", "kind", "door", "on"].some((name) => filters.get(name) !== "");
  return (
    <Page title="Audit log" about="Who changed what, and when. Nothing is ever taken out.">
      <div className="flex flex-wrap gap-2 py-3">
        <Search label="Who, what, or which" />
        <SelectFilter name="kind" label="About" options={KINDS.map((kind) => ({ value: kind, name: kind }))} />
        <SelectFilter name="door" label="From" options={DOORS} />
        <DayFilter />
      </div>
      {changes.length === 0 ? (
        <div className="grid justify-items-start gap-3 py-10">
          <p>{isFiltered ? "No change is like that." : "Nothing has been changed yet."}</p>
          {isFiltered && (
            <ButtonLink to="?" look="line">
              Show all
            </ButtonLink>
          )}
        </div>
      ) : (
        <ol className="border-t border-hairline">
          {changes.map((row) => (
            <Change key={row.id} row={row} />
          ))}
        </ol>
      )}
      <Pager about={`${changes.length} on this page`} newer={newer} older={older} />
    </Page>
  );
}

function DayFilter() {
  const [params] = useSearchParams();
  const submit = useSubmit();
  const others = [...params].filter(([name]) => !["on", "before", "after"].includes(name));
  return (
    <Form className="flex" onChange={({ currentTarget }) => void submit(currentTarget, { replace: true })}>
      {others.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input
        key={params.get("on")}
        type="date"
        name="on"
        aria-label="Day"
        defaultValue={params.get("on") ?? ""}
        className="min-h-11 rounded-cut border border-field bg-white px-3 lg:min-h-9"
      />
    </Form>
  );
}

const COLUMNS = "lg:grid lg:grid-cols-[8rem_minmax(0,14rem)_10rem_minmax(0,1fr)] lg:gap-4";

type Row = ReturnType<typeof useLoaderData<typeof loader>>["changes"][number];

function Change({ row: { at, actor, door, action, subjectKind, subjectId, number, to, before, after } }: { row: Row }) {
  const name = number ?? subjectId;
  return (
    <li className={`border-b border-hairline py-2.5 ${COLUMNS}`}>
      <span className="text-muted">
        <Time at={at} />
      </span>
      <span className="truncate max-lg:float-right max-lg:max-w-[60%] max-lg:text-muted">
        {actor}
        {door === "command" && <span className="text-muted"> by command</span>}
      </span>
      <span className="font-semibold max-lg:block">{action}</span>
      <span className="wrap-anywhere">
        {subjectKind}{" "}
        {to ? (
          <Link to={to} className="font-medium underline underline-offset-3 max-lg:py-3">
            {name}
          </Link>
        ) : (
          <span className="font-medium">{name}</span>
        )}
        {(before || after) && <Difference before={before} after={after} />}
      </span>
    </li>
  );
}

/** What has changed, each by its name. */
function Difference({ before, after }: { before: object | null; after: object | null }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <dl className="mt-0.5 text-[0.8125rem] leading-4.5 text-muted">
      {names.map((name) => (
        <div key={name} className="flex flex-wrap gap-x-1.5">
          <dt>{name}:</dt>
          <dd>
            {shown(before, name)}
            {before && after && " → "}
            {after && <span className="text-ink">{shown(after, name)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function shown(side: object | null, name: string): string {
  if (!side) return "";
  const value: unknown = Reflect.get(side, name);
  return value === undefined || value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value);
}
