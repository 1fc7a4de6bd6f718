import { plural } from "#app/infra/text/plural.ts";
import type { MissedAddress, OldAddress } from "#app/owner/shop/old-addresses.server.ts";
import { ButtonLink } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { Time } from "../frame/times.tsx";

const ROW =
  "flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-hairline py-1.5 lg:min-h-10";

/** The URL of the form for an old address. */
const formOf = (path: string) => `/shop/addresses/address?old=${encodeURIComponent(path)}`;

/** An old address as a list item, with a link to its form and a form to remove it. */
export function OldAddressRow({ address: { from, to } }: { address: OldAddress }) {
  return (
    <li className={ROW}>
      <span className="min-w-0 flex-auto wrap-anywhere">
        <span className="font-medium">{from}</span> <span className="text-muted">to {to}</span>
      </span>{" "}
      <span className="flex gap-2">
        <ButtonLink look="quiet" to={formOf(from)}>
          Change <span className="sr-only">{from}</span>
        </ButtonLink>
        <Confirm
          title="Remove"
          label={`Remove ${from}`}
          look="quiet"
          question={`Links to ${from} will find no page any longer.`}
          submit="Remove it"
          intent="remove"
          fields={{ from }}
        />
      </span>
    </li>
  );
}

/** An address that was asked for in vain, with a link to the form that redirects it. */
export function MissedAddressRow({ address: { path, times, lastAt } }: { address: MissedAddress }) {
  return (
    <li className={ROW}>
      <span className="min-w-0 flex-auto wrap-anywhere">
        <span className="font-medium">{path}</span>{" "}
        <span className="text-muted tabular-nums">
          {plural(times, "time")}, last <Time at={lastAt} look="date" />
        </span>
      </span>{" "}
      <ButtonLink look="quiet" to={formOf(path)}>
        Redirect <span className="sr-only">{path}</span>
      </ButtonLink>
    </li>
  );
}
