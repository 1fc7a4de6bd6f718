import { lazy, Suspense, useContext } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { readRate } from "#app/money/exchange-rate.ts";
import { formatRate } from "#app/money/format.ts";
import { countIssues } from "#app/owner/money/issues.server.ts";
import { rateByDay, rateHistory, setRate } from "#app/owner/money/rate.server.ts";
import { currentHold, holdRate, lastDayHeld, releaseRate } from "#app/owner/money/rate-hold.server.ts";
import { endOfDay, shopDay, startOfDay } from "#app/owner/shop-time.server.ts";
import { stale } from "#app/owner/stale.ts";
import { useAnswer } from "../connection/answer.ts";
import { Spans } from "../frame/chart.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Pager, useFilters } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { ShopZone, Time } from "../frame/times.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { isLater, RateForm } from "../money/rate-form.tsx";
import { RateHistory, setterOf } from "../money/rate-history.tsx";
import { RateHolding } from "../money/rate-hold.tsx";
import { MoneyTabs } from "../money/tabs.tsx";

const Chart = lazy(() => import("../money/rate-chart.tsx"));
const SPANS = [30, 90, 365] as const;

const id = z.string().regex(/^\d{1,18}$/);
const place = id.optional().catch(undefined);
const asked = z.object({
  days: z.coerce.number().pipe(z.literal(SPANS)).catch(90),
  before: place,
  after: place,
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "money");
  const { days, ...at } = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  const since = startOfDay(shopDay(days - 1)) ?? new Date();
  const { rate } = await rateInForce(db());
  const newest = await rateHistory(db());
  const points = await rateByDay(db(), since);
  const hold = await currentHold(db());
  return {
    days,
    now: rate,
    newest: newest.rows[0],
    hold,
    latest: lastDayHeld(hold?.since),
    history: at.before || at.after ? await rateHistory(db(), at) : newest,
    points: points.map((point) => ({ ...point, at: point.at.getTime() })),
    until: Date.now(),
    issues: await countIssues(db()),
  };
}

export const action = changes({
  set: change({
    needs: "money",
    fields: z.object({
      rate: z.string().transform((text, context) => {
        const rate = readRate(text);
        if (rate) return rate;
        context.addIssue({ code: "custom", message: "Naira for one dollar, like 1534.25" });
        return z.NEVER;
      }),
      agreed: z.literal("yes").optional(),
      seen: z.union([id, z.literal("")]).optional(),
    }),
    run: async ({ by, fields: { rate, agreed, seen } }) => {
      const done = await setRate(db(), by, rate, { agreed: agreed === "yes", seen: seen || undefined });
      if (done.ok) return { ok: true, what: `One dollar costs ${formatRate(rate)} from now on`, version: done.id };
      if ("doubt" in done) return { ok: false, problem: "Is that right?", doubts: [done.doubt] };
      return stale({ problem: "Somebody else has set the rate" });
    },
  }),
  hold: change({
    needs: "money",
    returnsTyped: true,
    fields: z.object({
      until: z.string().transform((text, context) => {
        const end = endOfDay(text);
        if (end) return end;
        context.addIssue({ code: "custom", message: "Choose a day" });
        return z.NEVER;
      }),
    }),
    run: async ({ by, fields: { until } }) => {
      const done = await holdRate(db(), by, until);
      if (!done.ok) return { ok: false, problems: { until: done.problem } };
      return { ok: true, what: `${formatRate(done.hold.rate)} is held`, version: done.hold.id };
    },
  }),
  release: change({
    needs: "money",
    fields: z.object({}),
    run: async ({ by }) => {
      await releaseRate(db(), by);
      const [newest] = (await rateHistory(db(), {}, 1)).rows;
      return { ok: true, what: "The rate is no longer held", version: newest?.id };
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

export default function ExchangeRate() {
  useFresh();
  const { now, newest, hold, latest, history, issues } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const wrong = done && !done.ok && "problems" in done ? done : undefined;
  const refused = done && !done.ok && "problem" in done ? done : undefined;
  const isAsked = refused?.doubts !== undefined;
  return (
    <Page title="Money" about="Prices are in dollars, and charged in naira at this rate">
      <MoneyTabs current="/money" issues={issues} />
      {done?.ok && !isLater(newest?.id, done.version) && <Notice kind="done">{done.what}.</Notice>}
      {refused && !isAsked && !refused.isStale && <Notice kind="error">{refused.problem}</Notice>}
      <div className="lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-16">
        <Section title="In force">
          <p className="text-[2rem] leading-9.5 font-bold tracking-tight tabular-nums">{formatRate(now)}</p>
          <p className="mb-5 text-muted">
            {newest ? (
              <span>
                for one dollar, since <Time at={newest.at} />, {setterOf(newest)}
              </span>
            ) : (
              "for one dollar. This is the built-in rate, since none has been set"
            )}
          </p>
          <RateForm
            set={done?.ok ? done.version : undefined}
            now={now}
            newest={newest}
            problem={wrong?.problems.rate}
            isAsked={isAsked}
          />
          <RateHolding hold={hold} latest={latest} typed={wrong?.values?.until} problem={wrong?.problems.until} />
        </Section>
        <RateSection />
      </div>
      <Section title="History">
        {history.rows.length === 0 ? (
          <p className="text-muted">No rate has been set yet. You’ll see each one here, with who set it.</p>
        ) : (
          <>
            <RateHistory rows={history.rows} />
            <Pager about={`${history.rows.length} on this page`} newer={history.newer} older={history.older} />
          </>
        )}
      </Section>
    </Page>
  );
}

/** The section with the chart of the rate, drawn in the browser. The history below has the same data. */
function RateSection() {
  const { days, points, now, until } = useLoaderData<typeof loader>();
  const filters = useFilters();
  const timeZone = useContext(ShopZone);
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone });
  const spans = SPANS.map((span) => ({ days: span, name: String(span), to: filters.to("days", String(span)) }));
  const last = points.at(-1);
  return (
    <Section title={`Last ${days} days`} aside={<Spans spans={spans} chosen={days} />}>
      {last ? (
        <div className="h-52" aria-hidden="true" key={days}>
          <Suspense fallback={null}>
            <Chart
              points={[...points, { at: until, rate: last.rate }]}
              day={(at) => day.format(at)}
              naira={(rate) => `₦${Math.round(rate).toLocaleString("en-US")}`}
            />
          </Suspense>
        </div>
      ) : (
        <p className="text-muted">{formatRate(now)} all the time: none was set.</p>
      )}
    </Section>
  );
}
