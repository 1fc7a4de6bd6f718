import type { FulfilmentTimes } from "#app/orders/fulfilment/progress.ts";
import { isOurMistake, type ReturnReason } from "#app/orders/returns/return.ts";
import { DAMAGE_HOURS, deliveryOf, RETURN_DAYS, returnDeadlines } from "#app/orders/returns/rules.ts";

type Asked = FulfilmentTimes & {
  shipping: { country: string };
  askedAt: Date;
  reason: ReturnReason;
  /** Whether a piece of it was sold as final. */
  isFinalSale: boolean;
};

/** What the shop's rules say of a return, by when it was asked for. */
export type Policy = {
  /** When it was delivered, as far as somebody has said so; else the day by which it must have been, as 2026-01-31. */
  deliveredAt: Date | null;
  deliveredBy: string;
  /** Whole days from the delivery to the request, of so many allowed; negative before a delivery that nobody has told of. */
  days: number;
  daysAllowed: number;
  isInTime: boolean;
  /** Only if the shop made the mistake: until when it could be reported, after how many hours it was, and whether in time. */
  damage: { until: Date; hours: number | null; hoursAllowed: number; isInTime: boolean } | null;
  isFinalSale: boolean;
  /** Every rule is kept. */
  isWithin: boolean;
};

/** Undefined where the order has not left the shop, as far as is known. */
export function returnPolicy(asked: Asked, zone: string): Policy | undefined {
  const delivery = deliveryOf(asked, zone);
  if (!delivery) return;
  const { askedAt, reason, isFinalSale } = asked;
  const { isOpen, damageUntil, isOpenForDamage } = returnDeadlines(delivery, askedAt, zone);
  const askedOn = Temporal.Instant.fromEpochMilliseconds(askedAt.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const isMistake = isOurMistake(reason);
  const damage = isMistake && {
    until: damageUntil,
    hours: delivery.at && Math.max(0, Math.floor((askedAt.getTime() - delivery.at.getTime()) / 3_600_000)),
    hoursAllowed: DAMAGE_HOURS,
    isInTime: isOpenForDamage,
  };
  return {
    deliveredAt: delivery.at,
    deliveredBy: delivery.day.toString(),
    days: delivery.day.until(askedOn).days,
    daysAllowed: RETURN_DAYS,
    isInTime: isOpen,
    damage: damage || null,
    isFinalSale,
    isWithin: isOpen && (isMistake ? isOpenForDamage : !isFinalSale),
  };
}
