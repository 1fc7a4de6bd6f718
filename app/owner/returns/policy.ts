import type { Numbers } from "#app/numbers/numbers.ts";
import type { FulfilmentTimes } from "#app/orders/fulfilment/progress.ts";
import { isOurMistake, type ReturnReason } from "#app/orders/returns/return.ts";
import { deliveryOf, returnDeadlines } from "#app/orders/returns/rules.ts";

type Asked = FulfilmentTimes & {
  shipping: { country: string };
  askedAt: Date;
  reason: ReturnReason;
  /** Whether a piece of it was bought as a final sale. */
  isFinalSale: boolean;
};

/** How a return fits the shop's rules, by the time of its request. */
export type Policy = {
  /**
   * `deliveredAt` is the reported time of delivery, if there is one. `deliveredBy` is the last expected day, such as
   * 2026-01-31.
   */
  deliveredAt: Date | null;
  deliveredBy: string;
  /** Whole days from the delivery to the request. Negative if it was requested before the expected delivery. */
  days: number;
  daysAllowed: number;
  isInTime: boolean;
  /**
   * Given only if the shop made the mistake: until when it could be reported, after how many hours it was, and whether
   * that was in time.
   */
  damage: { until: Date; hours: number | null; hoursAllowed: number; isInTime: boolean } | null;
  isFinalSale: boolean;
  /** Whether the return keeps all rules. */
  isWithin: boolean;
};

/** `numbers`: those that hold for the order. Undefined if it is not known to have left the shop. */
export function returnPolicy(asked: Asked, zone: string, numbers: Numbers): Policy | undefined {
  const delivery = deliveryOf(asked, zone, numbers);
  if (!delivery) return;
  const { askedAt, reason, isFinalSale } = asked;
  const { isOpen, damageUntil, isOpenForDamage } = returnDeadlines(delivery, askedAt, zone, numbers);
  const askedOn = Temporal.Instant.fromEpochMilliseconds(askedAt.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const isMistake = isOurMistake(reason);
  const damage = isMistake && {
    until: damageUntil,
    hours: delivery.at && Math.max(0, Math.floor((askedAt.getTime() - delivery.at.getTime()) / 3_600_000)),
    hoursAllowed: numbers.damageHours,
    isInTime: isOpenForDamage,
  };
  return {
    deliveredAt: delivery.at,
    deliveredBy: delivery.day.toString(),
    days: delivery.day.until(askedOn).days,
    daysAllowed: numbers.returnDays,
    isInTime: isOpen,
    damage: damage || null,
    isFinalSale,
    isWithin: isOpen && (isMistake ? isOpenForDamage : !isFinalSale),
  };
}
