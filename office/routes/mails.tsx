import { Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { listUndelivered, resendMail, resendMails, type UndeliveredMail } from "#app/owner/mails/mails.server.ts";
import { mailName } from "#app/owner/mails/names.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Pager } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";

const place = z.string().max(100).optional().catch(undefined);
const asked = z.object({ before: place, after: place });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "look");
  const keyset = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  return { ...(await listUndelivered(db(), keyset)), mayChange: may(role, "orders") };
}

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;
export const action = changes({
  "resend-all": change({
    needs: "orders",
    fields: z.object({}),
    run: async ({ by }) => {
      const { resent } = await resendMails(db(), by, "refused");
      return { ok: true, what: resent === 1 ? "1 mail is on its way again" : `${resent} mails are on their way again` };
    },
  }),
  resend: change({
    needs: "orders",
    fields: z.object({ id: z.uuid() }),
    run: ({ by, fields }) => resendMail(db(), by, fields.id),
  }),
});

export default function Mails() {
  useFresh();
  const { mails, newer, older, mayChange } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  return (
    <Page
      title="Mails that did not arrive"
      back={{ to: "/", title: "Today" }}
      about="Tried for two days, or refused by their server in the last 7 days."
      actions={
        mayChange &&
        mails.length > 1 && (
          <Form method="post">
            <Button look="line" name="intent" value="resend-all" isPending={isPending}>
              Try all again
            </Button>
          </Form>
        )
      }
    >
      {done?.ok && <Notice kind="done">{done.what.charAt(0).toUpperCase() + done.what.slice(1)}.</Notice>}
      {done && !done.ok && "problem" in done && <Notice kind="error">{done.problem}.</Notice>}
      {mails.length === 0 ? (
        <p className="py-6 text-muted">All mails have arrived, as far as their servers say.</p>
      ) : (
        <>
          <ul>
            {mails.map((mail) => (
              <Mail key={mail.id} mail={mail} mayChange={mayChange} isPending={isPending} />
            ))}
          </ul>
          <Pager about={`${mails.length} on this page`} newer={newer} older={older} />
        </>
      )}
    </Page>
  );
}

type Props = { mail: UndeliveredMail; mayChange: boolean; isPending: boolean };

function Mail({ mail: { id, kind, recipient, writtenAt, error, isRefused }, mayChange, isPending }: Props) {
  return (
    <li className="grid gap-x-4 gap-y-2 border-b border-hairline py-3 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="min-w-0">
        <p className="truncate font-semibold">{recipient}</p>
        <p className="text-muted">
          {mailName(kind)} · <Time at={writtenAt} look="weekday" /> ·{" "}
          {isRefused ? "there is no such mailbox" : "tried for two days"}
        </p>
        {error && <p className="mt-0.5 text-[0.8125rem] leading-4.5 text-muted wrap-anywhere">{error}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <ButtonLink look="quiet" to={`/orders?q=${encodeURIComponent(recipient)}`}>
          Orders of this address
        </ButtonLink>
        {mayChange && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <Button
              look="line"
              name="intent"
              value="resend"
              isPending={isPending}
              aria-label={`Try the mail to ${recipient} again`}
            >
              Try again
            </Button>
          </Form>
        )}
      </div>
    </li>
  );
}
