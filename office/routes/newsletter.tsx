import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { GROWTH_SPANS } from "#app/owner/newsletter/growth.ts";
import {
  newsletterGrowth,
  removeSubscriber,
  type Subscriber,
  searchSubscribers,
} from "#app/owner/newsletter/newsletter.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { ButtonLink, PlainLink } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { Pager, Search } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { Growth } from "../newsletter/growth.tsx";

const words = z.string().trim().max(200).optional().catch(undefined);
const asked = z.object({
  q: words,
  before: words,
  after: words,
  days: z.coerce.number().pipe(z.literal(GROWTH_SPANS)).catch(30),
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "newsletter");
  const { q, days, before, after } = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  const [found, growth] = await Promise.all([
    searchSubscribers(db(), q, { before, after }),
    newsletterGrowth(db(), days),
  ]);
  return { ...found, growth: { ...growth, span: days } };
}

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;
export const action = changes({
  remove: change({
    needs: "newsletter",
    fields: z.object({ email: z.string().max(254) }),
    run: async ({ by, fields }) =>
      (await removeSubscriber(db(), by, fields.email))
        ? { ok: true, what: `${normalizeEmail(fields.email)} gets no newsletter any more` }
        : { ok: false, problem: `${normalizeEmail(fields.email)} is not on the list any more` },
  }),
});

export default function Newsletter() {
  const { subscribers, newer, older, growth } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const [params] = useSearchParams();
  return (
    <Page
      title="Newsletter"
      actions={
        <PlainLink href="/newsletter/export.csv" download>
          <DownloadIcon className="size-5" />
          Export
        </PlainLink>
      }
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:gap-16">
        <Growth {...growth} />
        <Section title="Who wants it">
          {done?.ok && <Notice kind="done">{done.what}.</Notice>}
          {done && !done.ok && "problem" in done && <Notice kind="error">{done.problem}.</Notice>}
          <div className="flex py-3">
            <Search label="Name or email" />
          </div>
          {subscribers.length === 0 ? (
            <div className="grid justify-items-start gap-3 py-3">
              <p className="text-muted">{params.get("q") ? "Nobody fits." : "Nobody has subscribed yet."}</p>
              {params.get("q") && (
                <ButtonLink look="line" to="/newsletter">
                  See all
                </ButtonLink>
              )}
            </div>
          ) : (
            <>
              <ul className="border-t border-hairline">
                {subscribers.map((one) => (
                  <Row key={one.id} subscriber={one} />
                ))}
              </ul>
              <Pager about={`${subscribers.length} on this page`} newer={newer} older={older} />
            </>
          )}
        </Section>
      </div>
    </Page>
  );
}

function Row({ subscriber: { firstName, email, since } }: { subscriber: Subscriber }) {
  return (
    <li className="flex min-h-14 items-center justify-between gap-3 border-b border-hairline py-1.5 lg:min-h-10 lg:py-0">
      <span className="min-w-0 lg:flex lg:flex-auto lg:gap-4">
        <span className="block truncate font-medium lg:flex-auto">{email}</span>
        <span className="text-muted lg:flex-none">
          {firstName && `${firstName} · `}since <Time at={since} look="date" />
        </span>
      </span>
      <Confirm
        title="Remove"
        label={`Take ${email} off the list`}
        look="quiet"
        question={`${email} gets no newsletter any more, and is told nothing. Only they can subscribe again.`}
        submit="Take off the list"
        intent="remove"
        fields={{ email }}
      />
    </li>
  );
}
