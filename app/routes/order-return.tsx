import { useRef } from "react";
import { data, redirect, useLocation, useNavigation, useSearchParams } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { LINES_FORM } from "#app/infra/http/form-reader.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import * as messages from "#app/messages.ts";
import { textOf } from "#app/numbers/numbers.ts";
import { readOtherSizes } from "#app/orders/again/again.server.ts";
import { OrderInAnotherSize } from "#app/orders/again/other-size.tsx";
import { getOrder } from "#app/orders/history.server.ts";
import { readReturnNumber } from "#app/orders/number.ts";
import { askReturn, readReturnOffer, withdrawReturn } from "#app/orders/returns/ask.server.ts";
import { ReturnCard } from "#app/orders/returns/card.tsx";
import { errorsOf, type ReturnAnswer, type ReturnErrors, readReturnForm } from "#app/orders/returns/fields.ts";
import { ReturnForm } from "#app/orders/returns/form.tsx";
import { rateOfOrder } from "#app/orders/view.ts";
import { noteNotOwn } from "#app/payments/status.server.ts";
import { answerOr, typedInto } from "#app/ui/answer-or.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { longDate } from "#app/ui/long-date.ts";
import type { Route } from "./+types/order-return";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Return or exchange", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** The items of an order that can be returned, and those in a return already. Only the order's owner gets them. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return null;
  const [order, known] = await Promise.all([
    getOrder(db(), user.id, params.reference),
    readReturnOffer(db(), user.id, params.reference),
  ]);
  if (!order || !known) {
    if (!order) await noteNotOwn(db(), user.id, params.reference);
    throw data(null, { status: 404 });
  }
  const { number, reference, lines, returns, numbers } = order;
  const offer = known.ok && {
    lines: known.offer.lines,
    rate: rateOfOrder(order),
    sizes: known.offer.sizes,
    forDamage: known.offer.deadlines.isOpenForDamage,
  };
  const until = known.ok && longDate(new Date(`${known.offer.until}T12:00Z`));
  const closed = known.ok ? null : known.why;
  const more = { ...(numbers && { numbers }), ...(await readOtherSizes(db(), order)) };
  return { uid: user.id, number, reference, lines, returns, offer, until, closed, ...more };
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const unreached = { errors: { form: messages.form.unavailable }, kept: await typedInto(request) };
  return data(await answerOr<ReturnAnswer>(serverAction, unreached), { status: 400 });
}

/** Requests a return, or withdraws one. Status 303 on success, also for a repetition; 400 with the errors by field. */
export async function action({ request, params }: Route.ActionArgs) {
  const user = await currentUser(request);
  if (!user) throw redirect("/login?next=/account", 303);
  const fields = await readForm(request, LINES_FORM);
  const page = `/order/${encodeURIComponent(params.reference)}/return`;
  const refuse = (errors: ReturnErrors, status = 400, headers?: HeadersInit) =>
    data<ReturnAnswer>({ errors, kept: fields }, { status, headers });
  const limited = await limit(db(), [`returns of ${user.id}`, 20, HOUR]);
  if (!limited.ok) return refuse({ form: messages.form.tooOften }, 429, { "Retry-After": String(limited.retryAfter) });
  if (fields.withdraw !== undefined) {
    const number = readReturnNumber(fields.withdraw);
    if (number && (await withdrawReturn(db(), user.id, number))) throw redirect(`${page}#${number}`, 303);
    return refuse({ form: messages.returns.notWithdrawn });
  }
  const read = readReturnForm(fields);
  if ("errors" in read) return refuse(read.errors);
  const asked = await askReturn(db(), user.id, params.reference, read.request);
  if (!asked) {
    await noteNotOwn(db(), user.id, params.reference);
    throw data(null, { status: 404 });
  }
  if (asked.ok) throw redirect(`${page}#${asked.numbers[0]}`, 303);
  const { numbers } = (await getOrder(db(), user.id, params.reference)) ?? {};
  return refuse(
    "why" in asked
      ? { form: textOf(messages.returns.closed[asked.why], numbers) }
      : errorsOf(read.request, asked, numbers),
  );
}

export default function OrderReturn({ loaderData, actionData }: Route.ComponentProps) {
  useOwner(loaderData?.uid);
  const isBusy = useNavigation().formAction !== undefined;
  const [query] = useSearchParams();
  const { hash } = useLocation();
  const pictures = useRef<File[]>([]);
  const main = useFocusAnswer(actionData);
  if (!loaderData) {
    return (
      <Notice title="Return or exchange">
        <p className="text-lg">Please log in to see your order.</p>
        <ButtonLink to="/login?next=/account">Login</ButtonLink>
      </Notice>
    );
  }
  const { number, reference, lines, returns, otherSizes, offer, until, closed, numbers } = loaderData;
  const problem = pictureProblem(query.get("problem"));
  return (
    <main ref={main} className="page grid max-w-[83.5rem]! gap-8 py-7 lg:py-12">
      <div className="grid gap-2">
        {!offer && ( // the header of the form leads back
          <Link
            to={`/order/${reference}`}
            className="inline-flex min-h-11 items-center gap-1 justify-self-start text-sm text-muted underline underline-offset-4"
          >
            <ChevronIcon className="size-5 rotate-90" /> <span>{`Order ${number}`}</span>
          </Link>
        )}
        <h1 className="headline text-3xl sm:text-5xl">Return or exchange</h1>
        {until && <p className="text-muted">{`You can request a return until ${until}.`}</p>}
      </div>
      {returns.map((one) => (
        <ReturnCard
          key={one.number}
          given={one}
          numbers={numbers}
          reference={reference}
          lines={lines}
          problem={query.get("at") === one.number ? problem : undefined}
          waiting={hash === `#${one.number}` ? pictures : undefined}
        />
      ))}
      <OrderInAnotherSize reference={reference} sizes={otherSizes} />
      {problem && !query.get("at") && <FormError>{problem}</FormError>}
      {offer ? (
        <ReturnForm
          key={returns.length}
          {...offer}
          numbers={numbers}
          after={returns.length}
          pictures={pictures}
          answer={actionData}
          busy={isBusy}
        />
      ) : (
        <>
          <FormError>{actionData?.errors.form}</FormError>
          <p>{closed && textOf(messages.returns.closed[closed], numbers)}</p>
        </>
      )}
      <Help about={`my order ${number}`} />
    </main>
  );
}

function pictureProblem(name: string | null): string | undefined {
  const known = Object.entries(messages.returns.pictures).find(([one]) => one === name);
  return known?.[1];
}
