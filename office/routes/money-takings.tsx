import { useContext } from "react";
import { Form, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { formatKobo, formatSignedKobo, formatUsd } from "#app/money/format.ts";
import { kobo, koboFromNaira, usdCents } from "#app/money/money.ts";
import { countIssues } from "#app/owner/money/issues.server.ts";
import { countTillAsSeen, readTill, verdictOn } from "#app/owner/money/till.server.ts";
import {
  type MeansTakings,
  type SalesDay,
  salesReport,
  takingsByMeans,
  totalOf,
} from "#app/owner/sales-report.server.ts";
import { stale } from "#app/owner/stale.ts";
import { companyNames } from "#app/providers/descriptions.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, PlainLink } from "../frame/button.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { Notice } from "../frame/notice.tsx";
import { Hint, Page } from "../frame/page.tsx";
import { ShopZone } from "../frame/times.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { MoneyTabs } from "../money/tabs.tsx";
import { daysOf } from "../money/takings.server.ts";
import { TillCounting } from "../money/till.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "takings");
  const { from, to, start, end, problem } = daysOf(new URL(request.url).searchParams);
  const days = await salesReport(db(), start, end);
  const byMeans = await takingsByMeans(db(), start, end);
  return {
    from,
    to,
    problem,
    days: days.toReversed(),
    total: totalOf(days),
    byMeans,
    till: await readTill(db()),
    mayCount: may(role, "till"),
    issues: may(role, "money") ? await countIssues(db()) : undefined,
  };
}

export const action = changes({
  count: change({
    needs: "till",
    returnsTyped: true,
    fields: z.object({
      counted: z.string().transform((text, context) => {
        const counted = koboFromNaira(text);
        if (counted !== undefined) return counted;
        context.addIssue({ code: "custom", message: "Naira, like 45,000" });
        return z.NEVER;
      }),
      seen: z.coerce.number().int(),
    }),
    run: async ({ by, fields }) => {
      const done = await countTillAsSeen(db(), by, fields.counted, fields.seen);
      if (!done.ok) return stale({ problem: "Cash was moved or counted meanwhile" });
      return { ok: true, what: `${naira(done.count.counted)} counted, ${verdictOn(done.count)}.` };
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

export default function Takings() {
  useFresh();
  const { from, to, problem, days, total, byMeans, till, mayCount, issues } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const refused = done && !done.ok ? done : undefined;
  const zone = useContext(ShopZone);
  return (
    <Page
      title={issues === undefined ? "Takings" : "Money"}
      about={`What came in on each day of ${zone}, and what went back`}
      actions={
        <>
          <PlainLink look="line" href={`/money/refunds.csv?${new URLSearchParams({ from, to })}`} download>
            Refunds
          </PlainLink>
          <PlainLink href={`/money/takings.csv?${new URLSearchParams({ from, to })}`} download>
            <DownloadIcon className="size-5" />
            CSV
          </PlainLink>
        </>
      }
    >
      {issues !== undefined && <MoneyTabs current="/money/takings" issues={issues} />}
      <Form key={`${from} ${to}`} className="flex flex-wrap items-end gap-2 py-3">
        {[
          ["from", "From", from],
          ["to", "To", to],
        ].map(([name, label, day]) => (
          <label key={name} className="grid gap-1.5 font-semibold max-sm:flex-1">
            {label}
            <input type="date" name={name} defaultValue={day} className="input font-normal tabular-nums" />{" "}
          </label>
        ))}
        <Button look="line" className="bg-white max-sm:w-full">
          Show
        </Button>
      </Form>
      {problem && <Notice kind="error">{problem}.</Notice>}
      {days.length === 0 ? (
        <p className="py-6 text-muted">Nothing was sold or refunded on these days.</p>
      ) : (
        <>
          {byMeans.length > 1 && <ByMeans rows={byMeans} />}
          <Table days={days} total={total} />
          {total.roundedKobo > 0 && (
            <p className="mt-3">
              <span>Cash rounded down</span> <strong className="tabular-nums">{naira(total.roundedKobo)}</strong>{" "}
              <span className="text-muted">beside what was sold</span>
            </p>
          )}
        </>
      )}
      {till && (
        <TillCounting
          till={till}
          mayCount={mayCount}
          typed={refused?.values?.counted}
          problem={refused && "problems" in refused ? refused.problems.counted : undefined}
          isStale={refused !== undefined && "isStale" in refused}
          done={done?.ok ? done.what : undefined}
        />
      )}
      <Hint className="mt-4 max-w-160">
        Dollars use the rate each order was paid at. A refund counts on the day it was made. {companyNames()}’s fees are
        as it said them when each order was paid. “After fees” is what it should pay out for these days: its settlement
        report is what counts.
      </Hint>
    </Page>
  );
}

const naira = (sum: number) => formatKobo(kobo(sum));
const dollars = (cents: number) => formatUsd(usdCents(cents));
const HEADS = ["Orders", "Pieces", "Sold", "In dollars", "Of it shipping", "Refunded", "Left", "Fees", "After fees"];
const day = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** The sums by how the orders were paid, if there was more than one way. */
function ByMeans({ rows }: { rows: MeansTakings[] }) {
  return (
    <table aria-label="Takings by how they were paid" className="rows mb-6">
      <thead>
        <tr>
          {["Paid by", "Orders", "Sold", "Refunded", "Left"].map((head, at) => (
            <th scope="col" key={head} data-align={at > 0 ? "end" : undefined}>
              {head}
            </th>
          ))}
          <td data-narrow="" />
        </tr>
      </thead>
      <tbody>
        {rows.map(({ means, orders, kobo: sum, refundedKobo }) => (
          <tr key={means}>
            <td data-slot="lead">{means}</td>
            <td data-slot="" data-align="end">
              {orders}
            </td>
            <td data-slot="" data-align="end">
              {naira(sum)}
            </td>
            <td data-slot="" data-align="end">
              {refundedKobo > 0 ? `−${naira(refundedKobo)}` : ""}
            </td>
            <td data-slot="sum" data-align="end" data-tone="strong">
              {formatSignedKobo(sum - refundedKobo)}
            </td>
            <td data-slot="about" data-narrow="">
              {orders} <span>{orders === 1 ? "order" : "orders"}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Table({ days, total }: { days: SalesDay[]; total: SalesDay }) {
  return (
    <table aria-label="Takings by day" className="rows">
      <thead>
        <tr>
          <th scope="col">Day</th>
          {HEADS.map((head) => (
            <th scope="col" key={head} data-align="end">
              {head}
            </th>
          ))}
          <td data-narrow="" />
          <td data-narrow="" />
        </tr>
      </thead>
      <tbody>
        <Row row={total} name="All of it" />
        {days.map((row) => (
          <Row key={row.day} row={row} name={day.format(new Date(`${row.day}T00:00:00Z`))} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, name }: { row: SalesDay; name: string }) {
  const tone = row.day === "total" ? "strong" : undefined;
  const left = row.kobo - row.refundedKobo;
  const cells = [
    row.orders,
    row.pieces,
    naira(row.kobo),
    dollars(row.cents),
    naira(row.shippingKobo),
    row.refundedKobo > 0 ? `−${naira(row.refundedKobo)}` : "",
  ];
  return (
    <tr>
      <td data-slot="lead" data-tone={tone}>
        {name}
      </td>
      {cells.map((cell, at) => (
        <td key={HEADS[at]} data-slot="" data-align="end" data-tone={tone}>
          {cell}
        </td>
      ))}
      <td data-slot="sum" data-align="end" data-tone="strong">
        {formatSignedKobo(left)}
      </td>
      <td data-slot="" data-align="end" data-tone={tone}>
        {row.feesKobo > 0 ? naira(row.feesKobo) : ""}
      </td>
      <td data-slot="" data-align="end" data-tone={tone}>
        {formatSignedKobo(left - row.feesKobo)}
      </td>
      <td data-slot="about" data-narrow="">
        {row.orders} <span>{row.orders === 1 ? "order" : "orders"}</span>, {dollars(row.cents)}
      </td>
      <td data-slot="state" data-narrow="">
        {row.refundedKobo > 0 && <span className="text-muted">{naira(row.refundedKobo)} back</span>}
      </td>
    </tr>
  );
}
