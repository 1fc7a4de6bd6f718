import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { sizeName } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { refusedMails } from "#app/infra/mail.server.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { formatRate } from "#app/money/format.ts";
import { sizesNearlyOut } from "#app/owner/catalog/nearly-out.server.ts";
import { listedToPack } from "#app/owner/orders/packing.server.ts";
import { searchOrders } from "#app/owner/orders/search.server.ts";
import { shopStatus } from "#app/owner/status.server.ts";
import { TAKINGS_SPANS, takings } from "#app/owner/takings.server.ts";
import { may, type Permission } from "#app/staff/roles.ts";
import { CheckIcon, RightIcon } from "#app/ui/icons.tsx";
import { ButtonLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Page, Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { staffOf } from "../http/staff.server.ts";
import { MailServerSays } from "../mails/server-says.tsx";
import { OrdersTable } from "../orders/table.tsx";
import { Takings } from "../today/takings.tsx";

const asked = z.object({ days: z.coerce.number().pipe(z.literal(TAKINGS_SPANS)).catch(7) });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { days } = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  const { role } = staffOf(context);
  const ifMay = async <Data,>(needs: Permission, read: () => Promise<Data>) => (may(role, needs) ? read() : undefined);
  const [{ toSend, ...status }, details, nearlyOut, orders] = await Promise.all([
    shopStatus(db()),
    ifMay("details", async () => ({ refused: await refusedMails(db()), sums: await takings(db(), days) })),
    ifMay("products", () => sizesNearlyOut(db())),
    ifMay("orders", () => searchOrders(db(), { view: "to-send" }, {}, 5)),
  ]);
  const rateAge = status.rate.since ? daysSince(status.rate.since) : undefined;
  return {
    mayOpenMoney: may(role, "money"),
    nearlyOut,
    toSend: orders && toSend,
    orders: details ? orders?.rows : orders?.rows.map(listedToPack),
    details: details && {
      ...status,
      rateAge,
      refused: details.refused.map(({ recipient }) => recipient),
      sums: details.sums,
    },
  };
}

type Details = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["details"]>;

export default function Today() {
  useFresh();
  const { mayOpenMoney, details, nearlyOut, toSend, orders } = useLoaderData<typeof loader>();
  return (
    <Page title="Today" about={<Time at={new Date()} look="day" />}>
      <div className="lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-16">
        {(toSend || details || nearlyOut) && (
          <Section title="Waiting for you">
            <ul>
              {details && (
                <Waiting
                  count={details.toLookInto.payments}
                  title="Payments that need attention"
                  tone="person"
                  to="/orders?view=person"
                />
              )}
              {toSend && (
                <Waiting count={toSend.orders} title="Orders to send" to="/orders?view=to-send&sort=oldest">
                  {toSend.oldest && (
                    <span>
                      The oldest has been waiting since <Time at={toSend.oldest} />.
                    </span>
                  )}
                </Waiting>
              )}
              {details && <WaitingReturns {...details.returns} />}
              {nearlyOut && (
                <Waiting count={nearlyOut.count} title="Sizes nearly out" to="/products/stock?view=few">
                  {listed(
                    nearlyOut.first.map(({ title, size }) => `${title} ${sizeName(size)}`),
                    nearlyOut.count,
                  )}
                </Waiting>
              )}
              {details && <WaitingMails {...details} />}
              {details && <WaitingRate {...details} to={mayOpenMoney ? "/money" : undefined} />}
            </ul>
          </Section>
        )}
        {details && <Takings {...details.sums} />}
      </div>
      {orders && (
        <Section
          title="New orders"
          aside={
            <ButtonLink look="quiet" to="/orders?view=all">
              All orders
            </ButtonLink>
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

function WaitingReturns({ asked, toEnd, overdue }: Details["returns"]) {
  return (
    <>
      {overdue > 0 && (
        <Waiting count={overdue} title="Refunds overdue" tone="person" to="/returns?view=overdue">
          The refund, or the other size, was due within 7 business days.
        </Waiting>
      )}
      <Waiting count={asked + toEnd} title="Returns waiting" to="/returns">
        {asked + toEnd > 0 && `${asked} to answer, ${toEnd} to refund or to send.`}
      </Waiting>
    </>
  );
}

function WaitingMails({ mails, refused }: Pick<Details, "mails" | "refused">) {
  return (
    <>
      {mails.waiting.count > 0 && (
        <Waiting count={mails.waiting.count} title="Emails that can’t be sent" tone="person" to="/mails">
          {mails.waiting.since && (
            <span>
              The oldest has been waiting since <Time at={mails.waiting.since} />.{" "}
              <MailServerSays error={mails.waiting.error} />
            </span>
          )}
        </Waiting>
      )}
      <Waiting count={mails.givenUp + mails.refused} title="Emails that didn’t arrive" to="/mails">
        {listed(refused.slice(0, 2), refused.length)}
      </Waiting>
    </>
  );
}

function WaitingRate({ rate, rateAge, to }: Pick<Details, "rate" | "rateAge"> & { to?: string }) {
  return (
    <Waiting
      count={rateAge === undefined || rateAge >= OLD_RATE ? 1 : 0}
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

/** The age of the exchange rate in days from which it needs attention: it is normally updated every day. */
const OLD_RATE = 3;

function daysSince(time: Date): number {
  return Math.floor((Date.now() - time.getTime()) / 86_400_000);
}

/** A list like "Unity Home XXL, Adire XXL and 2 more." */
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
