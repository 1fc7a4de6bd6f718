import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { capital } from "#app/infra/text/capital.ts";
import { plural } from "#app/infra/text/plural.ts";
import { listUndelivered, retryMail, retryMails } from "#app/owner/mails/mails.server.ts";
import { mailsWaiting } from "#app/owner/mails/waiting.server.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { Confirm } from "../frame/confirm.tsx";
import { keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { List, Pager } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { change, changes } from "../http/changes.server.ts";
import { keysetOf } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { Mail } from "../mails/mail.tsx";
import { MailServerSays } from "../mails/server-says.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "details");
  const keyset = keysetOf(new URL(request.url).searchParams);
  const waiting = await mailsWaiting(db());
  return { ...(await listUndelivered(db(), keyset)), waiting, mayChange: may(role, "service") };
}

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;
export const action = changes({
  "resend-all": change({
    needs: "service",
    fields: z.object({}),
    run: async ({ by }) => {
      const { resent } = await retryMails(db(), by, "refused");
      return { ok: true, what: plural(resent, "email is being sent again", "emails are being sent again") };
    },
  }),
  resend: change({
    needs: "service",
    fields: z.object({ id: z.uuid() }),
    run: ({ by, fields }) => retryMail(db(), by, fields.id),
  }),
});

const ARRIVED = "As far as we can tell, all emails have arrived.";

export default function Mails() {
  useFresh();
  const { rows, newer, older, waiting, mayChange } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  return (
    <Page
      title="Emails that didn’t arrive"
      back={{ to: "/", title: "Today" }}
      about="Tried for two days, or refused by their server in the last 7 days."
      actions={
        mayChange &&
        rows.length > 1 && (
          <Confirm
            title="Try all again"
            question="All emails that were refused, or given up after two days, are sent again, also those on other pages."
            submit="Send all of them"
            intent="resend-all"
          />
        )
      }
    >
      {done?.ok && <Notice kind="done">{capital(done.what)}.</Notice>}
      {done && !done.ok && "problem" in done && <Notice kind="error">{done.problem}.</Notice>}
      {waiting.since && (
        <Notice kind="error">
          {plural(waiting.count, "mail waits", "mails wait")} to go out, the oldest since <Time at={waiting.since} />.{" "}
          <MailServerSays error={waiting.error} /> The shop keeps trying for two days.
        </Notice>
      )}
      <List rows={rows} one="mail" nothing={waiting.count === 0 && ARRIVED} all="/mails">
        <ul>
          {rows.map((mail) => (
            <Mail key={mail.id} mail={mail} mayChange={mayChange} />
          ))}
        </ul>
        <Pager about={`${rows.length} on this page`} newer={newer} older={older} />
      </List>
    </Page>
  );
}
