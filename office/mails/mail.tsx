import type { UndeliveredMail } from "#app/owner/mails/mails.server.ts";
import { mailName } from "#app/owner/mails/names.ts";
import { ButtonLink } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { Hint } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";

type Props = { mail: UndeliveredMail; mayChange: boolean };

/** An undelivered mail as a list item, with a form to send it again. */
export function Mail({ mail: { id, kind, recipient, writtenAt, error, isRefused }, mayChange }: Props) {
  return (
    <li className="grid gap-x-4 gap-y-2 border-b border-hairline py-3 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="min-w-0">
        <p className="truncate font-semibold">{recipient}</p>
        <p className="text-muted">
          {mailName(kind)} · <Time at={writtenAt} look="weekday" /> ·{" "}
          {isRefused ? "this mailbox doesn’t exist" : "tried for two days"}
        </p>
        {error && <Hint className="mt-0.5 wrap-anywhere">{error}</Hint>}
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <ButtonLink look="quiet" to={`/orders?q=${encodeURIComponent(recipient)}`}>
          Orders of this address
        </ButtonLink>
        {mayChange && (
          <Confirm
            title="Try again"
            label={`Try the mail to ${recipient} again`}
            question={`${mailName(kind)} goes to ${recipient} once more, with the details of then.`}
            submit="Send it"
            intent="resend"
            fields={{ id }}
          />
        )}
      </div>
    </li>
  );
}
