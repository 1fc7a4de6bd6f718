import type { Subscriber } from "#app/owner/newsletter/newsletter.server.ts";
import { Confirm } from "../frame/confirm.tsx";
import { Time } from "../frame/times.tsx";

/** A subscriber as a list item, with a form to remove them. */
export function SubscriberRow({ subscriber: { firstName, email, since } }: { subscriber: Subscriber }) {
  return (
    <li className="flex min-h-14 items-center justify-between gap-3 border-b border-hairline py-1.5 lg:min-h-10 lg:py-0">
      <span className="min-w-0 lg:flex lg:flex-auto lg:gap-4">
        <span className="block truncate font-medium lg:flex-auto">{email}</span>{" "}
        <span className="text-muted lg:flex-none">
          <span>{firstName && `${firstName} · `}</span>since <Time at={since} look="date" />
        </span>
      </span>{" "}
      <Confirm
        title="Remove"
        label={`Take ${email} off the list`}
        look="quiet"
        question={`${email} won’t get the newsletter any longer, and won’t be told. Only they can subscribe again.`}
        submit="Take off the list"
        intent="remove"
        fields={{ email }}
      />
    </li>
  );
}
