import { data, Link, type LoaderFunctionArgs, redirect, useLoaderData, useNavigation } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { capital } from "#app/infra/text/capital.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { readReturnNumber } from "#app/orders/number.ts";
import { refundDueBy } from "#app/orders/returns/rules.ts";
import { REASON_WORDS } from "#app/owner/returns/standing.ts";
import { viewReturn } from "#app/owner/returns/view.server.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { ButtonLink } from "../frame/button.tsx";
import { keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { Day } from "../frame/times.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { CustomerSection } from "../orders/customer.tsx";
import { ProviderNotice } from "../orders/money.tsx";
import { Timeline } from "../orders/timeline.tsx";
import { RETURN_CHANGES } from "../returns/changes.server.ts";
import { NextStep } from "../returns/next-step.tsx";
import { PolicyNotice } from "../returns/policy.tsx";
import { ReturnPieces, ReturnWords } from "../returns/request.tsx";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "details");
  const number = readReturnNumber(params.number ?? "");
  const given = number && (await viewReturn(db(), number));
  if (!given) throw data(null, 404);
  if (number !== params.number) throw redirect(`/returns/${number}`);
  return {
    given,
    dueIfNow: refundDueBy(new Date(), env.SHOP_TIMEZONE, given.numbers).toString(),
    mayChange: may(role, "returns"),
    mayRefund: may(role, "refunds"),
    maySeeCustomer: may(role, "customers"),
  };
}

export { alsoAfterRefusal as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const action = changes(RETURN_CHANGES);
export const clientAction = keepWhatIsTyped;

export default function Return() {
  useFresh();
  const { given, dueIfNow, mayChange, mayRefund, maySeeCustomer } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  const { number, shipping, standing, dueBy, isOverdue, orderNumber, wish } = given;
  const name = `${shipping.firstName} ${shipping.lastName}`.trim();
  const rate = parseRate(given.rate) ?? FALLBACK_RATE;
  return (
    <Page
      title={number}
      back={{ to: "/returns", title: "Returns" }}
      about={
        <>
          <span>{name && `${name} · `}</span>
          <span>{wish === "exchange" ? "Exchange" : "Return"}</span> of{" "}
          <Link to={`/orders/${orderNumber}`} className="underline underline-offset-3">
            {orderNumber}
          </Link>
        </>
      }
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_25rem] lg:grid-rows-[auto_1fr] lg:gap-x-12">
        <div className="min-w-0">
          {done?.ok && <Notice kind="done">{capital(done.what)}.</Notice>}
          {given.refundState === "failed" && (
            <Notice
              kind="error"
              actions={
                <ButtonLink look="line" to={`/orders/${orderNumber}`}>
                  Open the order
                </ButtonLink>
              }
            >
              <strong className="font-semibold">The refund failed.</strong> Try it again on its order.
            </Notice>
          )}
          <div className="mt-5">
            <p className="mb-2.5 flex flex-wrap gap-x-4">
              <State tone={standing.tone}>{standing.text}</State>
              {dueBy && (
                <span className={isOverdue ? "text-error" : "text-muted"}>
                  <span>{wish === "money" ? "Refund" : "Exchange"}</span> by <Day on={dueBy} look="long" />
                </span>
              )}
            </p>
            <ReturnPieces {...given} rate={rate} />
            <PolicyNotice policy={given.policy} />
            <ProviderNotice {...given} />
          </div>
          <ReturnWords
            reason={REASON_WORDS[given.reason]}
            words={given.words}
            pictures={given.pictures}
            number={number}
            name={shipping.firstName}
          />
        </div>
        <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          {mayChange && (
            <NextStep given={given} done={done} isPending={isPending} mayRefund={mayRefund} dueIfNow={dueIfNow} />
          )}
          <CustomerSection order={given} customerId={maySeeCustomer ? given.userId : null} />
        </div>
        <div className="min-w-0 lg:col-start-1">
          <Section title="What happened">
            <Timeline happenings={given.happenings} />
          </Section>
        </div>
      </div>
    </Page>
  );
}
