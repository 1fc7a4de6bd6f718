import type { ReactNode } from "react";
import { Link, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { shopStatus } from "#app/owner/status.server.ts";
import { CheckIcon, RightIcon } from "#app/ui/icons.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Page, Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";

export function loader() {
  return shopStatus(db());
}

export default function Today() {
  useFresh();
  const { toSend, toLookInto, mails, rate } = useLoaderData<typeof loader>();
  return (
    <Page title="Today">
      <Section title="Waiting for you">
        <ul>
          <Waiting count={toLookInto.payments} title="Payments that need a person" tone="person" to="/money" />
          <Waiting count={toSend.orders} title="Orders to send" to="/orders?view=to-send">
            {toSend.oldest && (
              <>
                The oldest waits since <Time at={toSend.oldest} />.
              </>
            )}
          </Waiting>
          <Waiting count={mails.givenUp + mails.refused} title="Mails that did not arrive" to="/orders" />
          <Waiting count={rate.since ? 0 : 1} title="Exchange rate" to="/money">
            $1 = ₦{rate.rate}
            {rate.since && (
              <>
                , of <Time at={rate.since} />
              </>
            )}
            .
          </Waiting>
        </ul>
      </Section>
    </Page>
  );
}

function Waiting({
  count,
  title,
  tone = "waiting",
  to,
  children,
}: {
  count: number;
  title: string;
  tone?: "waiting" | "person";
  to: string;
  children?: ReactNode;
}) {
  const color = count === 0 ? "text-done" : tone === "person" ? "text-error" : "text-waiting";
  return (
    <li className="border-b border-hairline">
      <Link
        to={to}
        className="grid min-h-15 grid-cols-[2.75rem_1fr_1.25rem] items-center gap-3 py-2 hover:bg-chosen lg:min-h-14"
      >
        <span className={`justify-self-end text-[1.375rem] font-bold tabular-nums ${color}`}>
          {count || <CheckIcon className="size-6" />}
        </span>
        <span>
          <strong className={`block text-[0.9375rem] font-semibold ${count && tone === "person" ? "text-error" : ""}`}>
            {title}
          </strong>
          <span className="text-muted">{children}</span>
        </span>
        <RightIcon className="size-5 text-muted" />
      </Link>
    </li>
  );
}
