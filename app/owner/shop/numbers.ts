import { z } from "zod";
import { NUMBER_LIMITS, type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";

/** A number that is typed as digits. Null if nothing is typed or the number equals the shop's default. */
function typed(name: keyof Numbers) {
  const { least, most } = NUMBER_LIMITS[name];
  return z
    .string()
    .trim()
    .refine(
      (text) => text === "" || (/^\d{1,3}$/.test(text) && Number(text) >= least && Number(text) <= most),
      `A whole number from ${least} to ${most}`,
    )
    .transform((text) => (text === "" || Number(text) === SHIPPED_NUMBERS[name] ? null : Number(text)));
}

/** The days and hours that the shop promises, as the owner types them. */
export const numberValues = z.object({
  returnDays: typed("returnDays"),
  damageHours: typed("damageHours"),
  refundDays: typed("refundDays"),
  packFrom: typed("packFrom"),
  packTo: typed("packTo"),
  nigeriaFrom: typed("nigeriaFrom"),
  nigeriaTo: typed("nigeriaTo"),
  abroadFrom: typed("abroadFrom"),
  abroadTo: typed("abroadTo"),
});
