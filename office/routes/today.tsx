import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { refusedMails } from "#app/infra/mail.server.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { formatRate } from "#app/money/format.ts";
import { sizesNearlyOut } from "#app/owner/catalog/nearly-out.server.ts";
import { searchOrders } from "#app/owner/order-search.server.ts";
import { shopStatus } from "#app/owner/status.server.ts";
import { TAKINGS_SPANS, takings } from "#app/owner/takings.server.ts";
import { CheckIcon, RightIcon } from "#app/ui/icons.tsx";
import { ButtonLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Page, Section } from "../frame/page.tsx";
import { placesFor } from "../frame/places.ts";
import { Time } from "../frame/times.tsx";
import { staffOf } from "../http/staff.server.ts";
import { OrdersTable } from "../orders/table.tsx";
import { Takings } from "../today/takings.tsx";

const asked = z.object({ days: z.coerce.number().pipe(z.literal(TAKINGS_SPANS)).catch(7) });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { days } = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  const [status, refused, nearlyOut, sums, { orders }] = await Promise.all([
    shopStatus(db()),
    refusedMails(db()),
    sizesNearlyOut(db()),
    takings(db(), days),
    searchOrders(db(), { view: "to-send" }),
  ]);
  const places = placesFor(staffOf(context).role).map(({ to }) => to);
  const rateAge = status.rate.since ? daysSince(status.rate.since) : undefined;
  return {
    places,
    rateAge,
    status,
    refused: refused.map(({ recipient }) => recipient),
    nearlyOut,
    sums,
    orders: orders.slice(0, 5),
  };
}

export default function Today() {
  useFresh();
  const { places, rateAge, status, refused, nearlyOut, sums, orders } = useLoaderData<typeof loader>();
  const { toSend, toLookInto, returns, mails, rate } = status;
  /** The way to a place, for whoever may go there. */
  const placed = (to: string) => (places.includes(to) ? to : undefined);
  return (
    <Page title="Today" about={<Time at={new Date()} look="day" />}>
      <div className="lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-16">
        <Section title="Waiting for you">
          <ul>
            <Waiting
              count={toLookInto.payments}
              title="Payments that need a person"
              tone="person"
              to="/orders?view=person"
            />
            <Waiting count={toSend.orders} title="Orders to send" to="/orders?view=to-send&sort=oldest">
              {toSend.oldest && (
                <>
                  The oldest waits since <Time at={toSend.oldest} />.
                </>
              )}
            </Waiting>
            {returns.overdue > 0 && (
              <Waiting count={returns.overdue} title="Refunds overdue" tone="person" to="/returns?view=overdue">
                The money, or the other size, was due within 7 business days.
              </Waiting>
            )}
            <Waiting count={returns.asked + returns.toEnd} title="Returns waiting" to="/returns">
              {returns.asked + returns.toEnd > 0 &&
                `${returns.asked} to answer, ${returns.toEnd} to refund or to send.`}
            </Waiting>
            <Waiting count={nearlyOut.count} title="Sizes nearly out" to="/products/stock?view=few">
              {listed(
                nearlyOut.first.map(({ title, size }) => `${title} ${size}`),
                nearlyOut.count,
              )}
            </Waiting>
            <Waiting count={mails.givenUp + mails.refused} title="Mails that did not arrive" to="/mails">
              {listed(refused.slice(0, 2), refused.length)}
            </Waiting>
            <Waiting
              count={rateAge === undefined || rateAge >= OLD_RATE ? 1 : 0}
              title="Exchange rate"
              to={placed("/money")}
            >
              $1 = {formatRate(parseRate(rate.rate) ?? FALLBACK_RATE)},{" "}
              {rate.since ? (
                <>
                  {rateAge === 0 ? "of today" : rateAge === 1 ? "1 day old" : `${rateAge} days old`}:{" "}
                  <Time at={rate.since} />.
                </>
              ) : (
                "the fixed one: none is set."
              )}
            </Waiting>
          </ul>
        </Section>
        <Takings {...sums} />
      </div>
      <Section
        title="New orders"
        aside={
          <ButtonLink look="quiet" to="/orders?view=all">
            All orders
          </ButtonLink>
        }
      >
        {orders.length === 0 ? (
          <p className="text-muted">Nothing waits to be sent. New orders appear here by themselves.</p>
        ) : (
          <OrdersTable label="New orders" orders={orders} />
        )}
      </Section>
    </Page>
  );
}

/** From so many days on the exchange rate needs a person: it comes each day by itself. */
const OLD_RATE = 3;

function daysSince(time: Date): number {
  return Math.floor((Date.now() - time.getTime()) / 86_400_000);
}

/** "Unity Home XXL, Adire XXL and 2 more." */
function listed(first: string[], count: number): string {
  if (first.length === 0) return "";
  const more = count - first.length;
  return `${first.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

type WaitingProps = { count: number; title: string; tone?: "waiting" | "person"; to?: string; children?: ReactNode };

function Waiting({ count, title, tone = "waiting", to, children }: WaitingProps) {
  const color = count === 0 ? "text-done" : tone === "person" ? "text-error" : "text-waiting";
  const row = "grid min-h-15 grid-cols-[2.75rem_1fr_1.25rem] items-center gap-3 py-2 lg:min-h-14";
  const words = (
    <>
      <span className={`justify-self-end text-[1.375rem] font-bold tabular-nums ${color}`}>
        {count || <CheckIcon className="size-6" />}
      </span>
      <span>
        <strong className={`block text-[0.9375rem] font-semibold ${count && tone === "person" ? "text-error" : ""}`}>
          {title}
        </strong>
        <span className="text-muted">{children}</span>
      </span>
    </>
  );
  return (
    <li className="border-b border-hairline">
      {to ? (
        <Link to={to} className={`${row} hover:bg-chosen`}>
          {words}
          <RightIcon className="size-5 text-muted" />
        </Link>
      ) : (
        <div className={row}>{words}</div>
      )}
    </li>
  );
}
