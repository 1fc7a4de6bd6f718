import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { GROWTH_SPANS } from "#app/owner/newsletter/growth.ts";
import { newsletterGrowth, removeSubscriber, searchSubscribers } from "#app/owner/newsletter/newsletter.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { PlainLink } from "../frame/button.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { List, Pager, Search } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { change, changes } from "../http/changes.server.ts";
import { keysetOf, listParams } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { Growth } from "../newsletter/growth.tsx";
import { SubscriberRow } from "../newsletter/subscriber-row.tsx";

const span = z.coerce.number().pipe(z.literal(GROWTH_SPANS)).catch(30);

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "newsletter");
  const params = new URL(request.url).searchParams;
  const days = span.parse(params.get("days") ?? undefined);
  const [found, growth] = await Promise.all([
    searchSubscribers(db(), listParams(params).text, keysetOf(params)),
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
        ? { ok: true, what: `${normalizeEmail(fields.email)} won’t get the newsletter any longer` }
        : { ok: false, problem: `${normalizeEmail(fields.email)} is no longer on the list` },
  }),
});

export default function Newsletter() {
  const { rows, newer, older, growth } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
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
        <Section title="Subscribers">
          {done?.ok && <Notice kind="done">{done.what}.</Notice>}
          {done && !done.ok && "problem" in done && <Notice kind="error">{done.problem}.</Notice>}
          <div className="flex py-3">
            <Search label="Name or email" />
          </div>
          <List rows={rows} one="subscriber" nothing="Nobody has subscribed yet." all="/newsletter">
            <ul className="border-t border-hairline">
              {rows.map((one) => (
                <SubscriberRow key={one.id} subscriber={one} />
              ))}
            </ul>
            <Pager about={`${rows.length} on this page`} newer={newer} older={older} />
          </List>
        </Section>
      </div>
    </Page>
  );
}
