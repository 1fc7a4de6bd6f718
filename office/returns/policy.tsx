import type { Policy } from "#app/owner/returns/policy.ts";
import { Notice } from "../frame/notice.tsx";
import { Day, Time } from "../frame/times.tsx";

/** What the shop's rules say of a return, rule by rule. */
export function PolicyNotice({ policy }: { policy: Policy | undefined }) {
  if (!policy) return <Notice kind="conflict">The order is not said to have left the shop.</Notice>;
  const { deliveredAt, deliveredBy, days, daysAllowed, isInTime, damage, isFinalSale, isWithin } = policy;
  return (
    <Notice kind={isWithin ? "done" : "conflict"}>
      <strong className="font-semibold">{isWithin ? "Within the rules." : "Outside the rules."}</strong>{" "}
      {deliveredAt ? (
        <>
          Delivered <Time at={deliveredAt} look="weekday" />.
        </>
      ) : (
        <>
          Delivered by <Day on={deliveredBy} /> at the latest: nobody has said when.
        </>
      )}{" "}
      {isInTime ? "Asked for" : <strong className="font-semibold">Asked for too late:</strong>}{" "}
      {days <= 0 ? "on the day of delivery or before" : `after ${days} ${days === 1 ? "day" : "days"}`} of {daysAllowed}
      . {damage && <Damage {...damage} />} {isFinalSale ? <FinalSale isDamaged={damage !== null} /> : "Not final sale."}
    </Notice>
  );
}

function Damage({ until, hours, hoursAllowed, isInTime }: NonNullable<Policy["damage"]>) {
  return (
    <>
      {isInTime ? "Damage told" : <strong className="font-semibold">Damage told too late:</strong>}{" "}
      {hours === null ? (
        <>
          {isInTime ? "in time, before" : "it was to be told before"} <Time at={until} look="weekday" />.
        </>
      ) : (
        `after ${hours} ${hours === 1 ? "hour" : "hours"} of ${hoursAllowed}.`
      )}
    </>
  );
}

function FinalSale({ isDamaged }: { isDamaged: boolean }) {
  return isDamaged ? (
    <>Final sale, which comes back only damaged or wrong.</>
  ) : (
    <strong className="font-semibold">Final sale.</strong>
  );
}
