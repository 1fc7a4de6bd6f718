import { plural } from "#app/infra/text/plural.ts";
import type { Policy } from "#app/owner/returns/policy.ts";
import { Notice } from "../frame/notice.tsx";
import { Day, Time } from "../frame/times.tsx";

/** Whether a return is within the shop's rules, rule by rule. */
export function PolicyNotice({ policy }: { policy: Policy | undefined }) {
  if (!policy) return <Notice kind="conflict">This order hasn’t been marked as sent.</Notice>;
  const { deliveredAt, deliveredBy, days, daysAllowed, isInTime, damage, isFinalSale, isWithin } = policy;
  return (
    <Notice kind={isWithin ? "done" : "conflict"}>
      <strong className="font-semibold">{isWithin ? "Within the rules." : "Outside the rules."}</strong>{" "}
      <span>
        {deliveredAt ? (
          <span>
            Delivered <Time at={deliveredAt} look="weekday" />.
          </span>
        ) : (
          <span>
            Delivered by <Day on={deliveredBy} /> at the latest. The exact day isn’t known.
          </span>
        )}
      </span>{" "}
      <span>{isInTime ? "Requested" : <strong className="font-semibold">Requested too late:</strong>}</span>{" "}
      <span>{days <= 0 ? "on the day of delivery or before" : `after ${plural(days, "day")}`}</span> of {daysAllowed}.{" "}
      <span>{damage && <Damage {...damage} />}</span>{" "}
      <span>{isFinalSale ? <FinalSale isDamaged={damage !== null} /> : "Not final sale."}</span>
    </Notice>
  );
}

function Damage({ until, hours, hoursAllowed, isInTime }: NonNullable<Policy["damage"]>) {
  return (
    <>
      <span>{isInTime ? "Damage reported" : <strong className="font-semibold">Damage reported too late:</strong>}</span>{" "}
      <span>
        {hours === null ? (
          <span>
            <span>{isInTime ? "in time, before" : "the limit was"}</span> <Time at={until} look="weekday" />.
          </span>
        ) : (
          `after ${hours} ${hours === 1 ? "hour" : "hours"} of ${hoursAllowed}.`
        )}
      </span>
    </>
  );
}

function FinalSale({ isDamaged }: { isDamaged: boolean }) {
  return isDamaged ? (
    <span>Final sale: can be returned only if damaged or wrong.</span>
  ) : (
    <strong className="font-semibold">Final sale.</strong>
  );
}
