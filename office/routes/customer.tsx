import { randomUUID } from "node:crypto";
import type { ReactNode } from "react";
import { data, type LoaderFunctionArgs, useLoaderData, useNavigation, useSearchParams } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { capital } from "#app/infra/text/capital.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { viewCustomer } from "#app/owner/customers/view.server.ts";
import { notesOn } from "#app/owner/notes.server.ts";
import { searchOrders } from "#app/owner/orders/search.server.ts";
import { searchReturns } from "#app/owner/returns/search.server.ts";
import { may } from "#app/staff/roles.ts";
import { mailtoHref } from "#app/ui/frame/paths.ts";
import { useAnswer } from "../connection/answer.ts";
import { CUSTOMER_CHANGES } from "../customers/changes.server.ts";
import { ForgetPanel } from "../customers/forget-panel.tsx";
import { ButtonLink, PlainLink, TextLink } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { Notice } from "../frame/notice.tsx";
import { Facts, Page, Section } from "../frame/page.tsx";
import { Sessions } from "../frame/sessions.tsx";
import { Time } from "../frame/times.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { NoteForm } from "../notes/note-form.tsx";
import { OrdersTable } from "../orders/table.tsx";
import { Timeline } from "../orders/timeline.tsx";
import { ReturnsTable } from "../returns/table.tsx";
import { shownTags } from "../tags/changes.server.ts";
import { Tags } from "../tags/tags.tsx";

const SHOWN = 10;

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "customers");
  const customer = await viewCustomer(db(), params.id ?? "");
  if (!customer) throw data(null, 404);
  const [orders, returns, notes, tags] = await Promise.all([
    searchOrders(db(), { view: "all", customer: customer.id }, {}, SHOWN),
    searchReturns(db(), { view: "all", customer: customer.id }, {}, SHOWN),
    notesOn(db(), "customer", customer.id),
    shownTags(role, "customer", customer.id),
  ]);
  return {
    customer,
    orders: orders.rows,
    hasMoreOrders: orders.older !== undefined,
    returns: returns.rows,
    hasMoreReturns: returns.older !== undefined,
    notes,
    tags,
    key: randomUUID(),
    mayPutTogether: may(role, "service"),
  };
}

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const action = changes(CUSTOMER_CHANGES);
export const clientAction = keepWhatIsTyped;

export default function Customer() {
  const { customer, orders, hasMoreOrders, returns, hasMoreReturns, notes, tags, key, mayPutTogether } =
    useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  const [params] = useSearchParams();
  const { id, email, name } = customer;
  const isForgetting = params.get("do") === "forget";
  const here = encodeURIComponent(id);
  const problem = done && !done.ok && "problem" in done ? done.problem : undefined;
  const hidden = isForgetting ? "max-lg:hidden" : "";
  return (
    <Page
      title={name || email}
      back={{ to: "/customers", title: "Customers" }}
      about={
        <>
          <span>{name && `${email} · `}</span>since <Time at={customer.since} look="date" />
        </>
      }
      actions={
        <>
          <PlainLink href={`/customers/${here}/export.json`} download>
            <DownloadIcon className="size-5" />
            Export
          </PlainLink>
          {mayPutTogether && (
            <ButtonLink look="line" to={`/orders/new?for=${encodeURIComponent(email)}`}>
              New order
            </ButtonLink>
          )}
          <ButtonLink look="line" to="?do=forget" preventScrollReset>
            Forget
          </ButtonLink>
        </>
      }
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_25rem] lg:gap-x-12">
        <div className={`min-w-0 ${hidden}`}>
          {done?.ok && <Notice kind="done">{`${capital(done.what)}.`}</Notice>}
          {problem && !isForgetting && <Notice kind="error">{problem}</Notice>}
          <Section title="Orders" aside={hasMoreOrders && <All to={`/orders?customer=${here}`}>All orders</All>}>
            {orders.length === 0 ? (
              <p className="text-muted">None yet.</p>
            ) : (
              <OrdersTable label="Orders" orders={orders} columns={OF_ONE} />
            )}
          </Section>
          {returns.length > 0 && (
            <Section
              title="Returns"
              aside={hasMoreReturns && <All to={`/returns?view=all&customer=${here}`}>All returns</All>}
            >
              <ReturnsTable
                label="Returns"
                returns={returns}
                columns={["Return", "Piece and reason", "State", "Naira"]}
              />
            </Section>
          )}
          <Section title="Notes">
            {notes.length > 0 && <Timeline happenings={notes} />}
            <NoteForm noteKey={key} />
          </Section>
        </div>
        <div className="min-w-0">
          {isForgetting && (
            <ForgetPanel
              name={name || email}
              open={customer.open}
              isPending={isPending}
              problem={problem}
              problems={done && !done.ok && "problems" in done ? done.problems : {}}
            />
          )}
          <div className={hidden}>
            <About />
            <Tags {...tags} list="/customers" />
            <Section title="Signed in">
              <Sessions sessions={customer.sessions} />
            </Section>
          </div>
        </div>
      </div>
    </Page>
  );
}

const OF_ONE = ["Order", "Placed", "To", "State", "Naira"];

function All({ to, children }: { to: string; children: ReactNode }) {
  return (
    <ButtonLink look="quiet" to={to}>
      {children}
    </ButtonLink>
  );
}

function About() {
  const {
    email,
    phones,
    emailVerified,
    signsIn,
    orders,
    kobo: sum,
    refundedKobo,
    newsletterSince,
  } = useLoaderData<typeof loader>().customer;
  return (
    <Section title="About">
      <Facts>
        <dt>Email</dt>
        <dd>
          <TextLink href={mailtoHref(email)}>{email}</TextLink>
          {!emailVerified && <span className="block text-waiting">not verified</span>}
        </dd>
        {phones.length > 0 && (
          <>
            <dt>Phone</dt>
            <dd>
              {phones.map((phone) => (
                <TextLink key={phone} className="block w-max" href={`tel:${phone}`}>
                  {phone}
                </TextLink>
              ))}
            </dd>
          </>
        )}
        <dt>Signs in by</dt>
        <dd>{signsIn.join(" and ") || "nothing yet"}</dd>
        <dt>Paid</dt>
        <dd className="tabular-nums">
          {formatKobo(kobo(sum))} in {orders} <span>{orders === 1 ? "order" : "orders"}</span>
          {refundedKobo > 0 && <span className="block text-muted">{formatKobo(kobo(refundedKobo))} refunded</span>}
        </dd>
        <dt>Newsletter</dt>
        <dd>
          {newsletterSince ? (
            <>
              <span>
                wanted since <Time at={newsletterSince} look="date" />
              </span>
              <div>
                <Confirm
                  title="Take off the list"
                  look="quiet"
                  question={`${email} won’t get the newsletter any longer, and won’t be told. Only they can subscribe again.`}
                  submit="Take off the list"
                  intent="unsubscribe"
                />
              </div>
            </>
          ) : (
            "not wanted"
          )}
        </dd>
      </Facts>
    </Section>
  );
}
