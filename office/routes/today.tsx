import { type ReactNode, useContext } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { sizeName } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { refusedMails } from "#app/infra/mail.server.ts";
import { someOf } from "#app/infra/text/some-of.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { formatRate } from "#app/money/format.ts";
import { sizesNearlyOut } from "#app/owner/catalog/nearly-out.server.ts";
import { listedToPack } from "#app/owner/orders/packing.server.ts";
import { searchOrders } from "#app/owner/orders/search.server.ts";
import { shopStatus } from "#app/owner/status.server.ts";
import { TAKINGS_SPANS, takings, takingsMonths } from "#app/owner/takings.server.ts";
import { may, type Permission } from "#app/staff/roles.ts";
import { CheckIcon, RightIcon } from "#app/ui/icons.tsx";
import { ButtonLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Page, Section } from "../frame/page.tsx";
import { ShopZone, Time } from "../frame/times.tsx";
import { staffOf } from "../http/staff.server.ts";
import { MailServerSays } from "../mails/server-says.tsx";
import { OrdersTable } from "../orders/table.tsx";
import { NewOrderSound, useSoundIsOn } from "../today/new-order-sound.browser.tsx";
import { openTasks, tasksOf } from "../today/open-tasks.ts";
import { Takings } from "../today/takings.tsx";

/** The number of newest orders that are listed. */
const NEWEST = 5;

const asked = z.object({
  days: z.coerce.number().pipe(z.literal(TAKINGS_SPANS)).catch(7),
  month: z.string().optional(),
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { days, month: wanted } = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  const months = takingsMonths();
  const month = months.find((one) => one === wanted);
  const { role } = staffOf(context);
  const ifMay = async <Data,>(needs: Permission, read: () => Promise<Data>) => (may(role, needs) ? read() : undefined);
  const [{ toSend, lockedLinks, openQueues, ...status }, details, nearlyOut, orders] = await Promise.all([
    shopStatus(db()),
    ifMay("details", async () => ({ refused: await refusedMails(db()), sums: await takings(db(), month ?? days) })),
    ifMay("products", () => sizesNearlyOut(db())),
    ifMay("orders", () => searchOrders(db(), { view: "to-send" }, {}, NEWEST)),
  ]);
  const rateAge = status.rate.since ? daysSince(status.rate.since) : undefined;
  return {
    now: new Date(),
    mayOpenMoney: may(role, "money"),
    nearlyOut,
    toSend: orders && toSend,
    lockedLinks: may(role, "packing") ? lockedLinks : undefined,
    openQueues: may(role, "catalogue") ? openQueues : undefined,
    orders: details ? orders?.rows : orders?.rows.map(listedToPack),
    details: details && {
      ...status,
      rateAge,
      refused: details.refused.map(({ recipient }) => recipient),
      sums: { ...details.sums, month, months },
    },
  };
}

type Details = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["details"]>;

export default function Today() {
  useFresh(undefined, useSoundIsOn());
  const { now, mayOpenMoney, details, nearlyOut, lockedLinks, openQueues, toSend, orders } =
    useLoaderData<typeof loader>();
  const seen = { details, nearlyOut, lockedLinks, openQueues, toSend };
  const tasks = tasksOf(seen);
  return (
    <Page title="Today" open={openTasks(seen)} about={<Hour at={now} />}>
      <div className="lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-16">
        {(toSend || details || nearlyOut) && (
          <Section title="Waiting for you">
            <ul>
              {details && (
                <Waiting
                  count={tasks.payments}
                  title="Payments that need attention"
                  tone="person"
                  to="/orders?view=person"
                >
                  <Oldest since={details.toLookInto.oldest} />
                </Waiting>
              )}
              {toSend && (
                <Waiting count={tasks.orders} title="Orders to send" to="/orders?view=to-send&sort=oldest">
                  <Oldest since={toSend.oldest} />
                </Waiting>
              )}
              {lockedLinks && lockedLinks.length > 0 && (
                <Waiting
                  count={tasks.lockedLinks}
                  title="Handover links locked"
                  tone="person"
                  to={`/orders/${lockedLinks[0]}`}
                >
                  {listed(lockedLinks.slice(0, 3), lockedLinks.length)}
                </Waiting>
              )}
              {details && <WaitingReturns {...details.returns} />}
              {details && details.toGive.orders > 0 && <WaitingToGive {...details.toGive} />}
              {nearlyOut && (
                <Waiting count={tasks.sizes} title="Sizes nearly out" to="/products/stock?view=few">
                  {listed(
                    nearlyOut.first.map(({ title, size }) => `${title} ${sizeName(size)}`),
                    nearlyOut.count,
                  )}
                </Waiting>
              )}
              {openQueues && <WaitingQueues queues={openQueues} />}
              {details && <WaitingMails {...details} />}
              {details && <WaitingRate {...details} count={tasks.rate} to={mayOpenMoney ? "/money" : undefined} />}
            </ul>
          </Section>
        )}
        {details && <Takings {...details.sums} />}
      </div>
      {orders && (
        <Section
          title="New orders"
          aside={
            <div className="flex flex-wrap items-center gap-x-6">
              <NewOrderSound orders={orders} most={NEWEST} />
              <ButtonLink look="quiet" to="/orders?view=all">
                All orders
              </ButtonLink>
            </div>
          }
        >
          {orders.length === 0 ? (
            <p className="text-muted">There’s nothing to send. New orders appear here by themselves.</p>
          ) : (
            <OrdersTable label="New orders" orders={orders} />
          )}
        </Section>
      )}
    </Page>
  );
}

/** A time like "Sat 28 Nov, 14:52 in Lagos". */
function Hour({ at }: { at: Date }) {
  const place = useContext(ShopZone).replace(/^.*\//, "").replaceAll("_", " ");
  return (
    <span>
      <Time at={at} look="weekday" /> in {place}
    </span>
  );
}

function Oldest({ since }: { since: Date | null }) {
  if (!since) return null;
  return (
    <span>
      The oldest has been waiting since <Time at={since} />.
    </span>
  );
}

function WaitingReturns({ asked, toEnd, overdue, oldest, oldestOverdue }: Details["returns"]) {
  return (
    <>
      {overdue > 0 && (
        <Waiting count={overdue} title="Refunds overdue" tone="person" to="/returns?view=overdue">
          The refund, or the other size, should have left by now. <Oldest since={oldestOverdue} />
        </Waiting>
      )}
      <Waiting count={asked + toEnd} title="Returns waiting" to="/returns">
        {asked + toEnd > 0 && <span>{`${asked} to answer, ${toEnd} to refund or to send.`}</span>}{" "}
        <Oldest since={oldest} />
      </Waiting>
    </>
  );
}

/** Money that staff have to give back by hand. It leads to the order that has waited longest. */
function WaitingToGive({ orders, overdue, oldest, first }: Details["toGive"]) {
  return (
    <Waiting
      count={orders}
      title="Money to give back by hand"
      tone={overdue > 0 ? "person" : "waiting"}
      to={`/orders/${first[0]}`}
    >
      {listed(first, orders)} {overdue > 0 && <span>{`${overdue} overdue.`}</span>} <Oldest since={oldest} />
    </Waiting>
  );
}

/** Queues that the owner may have forgotten. It leads to the oldest one. */
function WaitingQueues({ queues }: { queues: { productId: string; title: string; opensAt: Date }[] }) {
  const [first] = queues;
  if (!first) return null;
  const titles = queues.slice(0, 2).map(({ title }) => title);
  return (
    <Waiting count={queues.length} title="Queues still open" to={`/products/${first.productId}`}>
      {listed(titles, queues.length)}{" "}
      <span>
        Open since <Time at={first.opensAt} />. End it when the rush is over.
      </span>
    </Waiting>
  );
}

function WaitingMails({ mails, refused }: Pick<Details, "mails" | "refused">) {
  return (
    <>
      {mails.waiting.count > 0 && (
        <Waiting count={mails.waiting.count} title="Emails that can’t be sent" tone="person" to="/mails">
          <Oldest since={mails.waiting.since} /> <MailServerSays error={mails.waiting.error} />
        </Waiting>
      )}
      <Waiting count={mails.givenUp + mails.refused} title="Emails that didn’t arrive" to="/mails">
        {listed(refused.slice(0, 2), refused.length)} <Oldest since={mails.oldest} />
      </Waiting>
    </>
  );
}

type RateProps = Pick<Details, "rate" | "rateAge"> & { count?: number; to?: string };

function WaitingRate({ rate, rateAge, count, to }: RateProps) {
  return (
    <Waiting
      count={count}
      title={rate.fault ? "Exchange rate: set or confirm it" : "Exchange rate"}
      tone={rate.fault ? "person" : "waiting"}
      to={to}
    >
      $1 = {formatRate(parseRate(rate.rate) ?? FALLBACK_RATE)},{" "}
      <span>
        {rate.since ? (
          <span>
            <span>{rateAge === 0 ? "of today" : rateAge === 1 ? "1 day old" : `${rateAge} days old`}</span>:{" "}
            <Time at={rate.since} />.
          </span>
        ) : (
          "built in, since none has been set."
        )}
      </span>
    </Waiting>
  );
}

function daysSince(time: Date): number {
  return Math.floor((Date.now() - time.getTime()) / 86_400_000);
}

/** A list like "Unity Home XXL, Adire XXL and 2 more." */
function listed(first: string[], count: number): string {
  return first.length === 0 ? "" : `${someOf(first, { count })}.`;
}

type WaitingProps = { count?: number; title: string; tone?: "waiting" | "person"; to?: string; children?: ReactNode };

function Waiting({ count = 0, title, tone = "waiting", to, children }: WaitingProps) {
  const color = count === 0 ? "text-done" : tone === "person" ? "text-error" : "text-waiting";
  const row = "grid min-h-15 grid-cols-[2.75rem_1fr_1.25rem] items-center gap-3 py-2 lg:min-h-14";
  const words = (
    <>
      <span className={`justify-self-end text-[1.375rem] font-bold tabular-nums ${color}`}>
        {count || <CheckIcon className="size-6" />}
      </span>{" "}
      <span>
        <strong className={`block text-[0.9375rem] font-semibold ${count && tone === "person" ? "text-error" : ""}`}>
          {title}
        </strong>{" "}
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
