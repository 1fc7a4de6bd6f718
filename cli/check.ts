import { refusedMails } from "#app/infra/mail.server.ts";
import type { Fault } from "#app/owner/faults/fault.ts";
import { schemaFaults } from "#app/owner/faults/schema.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { reviewProvider } from "#app/owner/provider-review.server.ts";
import { reviewShippingNames, shippingNameLines } from "#app/owner/shipping-names.ts";
import { type Actions, action, badInput } from "./command.ts";

export const check: Actions = {
  check: action({
    words: ["[days]"],
    options: { provider: true },
    says: "checks that money, stock, orders and the database's tables agree; --provider: also with the provider's charges of the last DAYS (7), as after a restore",
    changes: false,
    async run({ db, words: { days = "7" }, options: { provider } }) {
      if (!/^[1-9]\d{0,3}$/.test(days)) return badInput(`'${days}' isn't a number of days`);
      const review = provider ? await reviewProvider(db, Number(days)) : undefined;
      if (review && !review.ok) return { code: 1, data: { error: review.problem }, text: review.problem };
      const broken = [...(review?.broken ?? []), ...(await checkInvariants(db)), ...(await schemaFaults(db))];
      const refused = await refusedMails(db);
      const names = reviewShippingNames(await db.selectFrom("shippingRates").select(["kind", "name"]).execute());
      const lines = broken.length ? broken.map(faultLine) : ["Everything agrees."];
      if (refused.length) lines.push("Emails of the last 7 days to mailboxes that don't exist (see 'mails resend'):");
      lines.push(...refused.map(({ kind, recipient, lastError }) => `  ${kind} to ${recipient}: ${lastError}`));
      lines.push(...shippingNameLines(names));
      const data = {
        broken,
        ...names,
        ...(refused.length && { refusedMails: refused }),
        ...(review && { charges: review.charges }),
      };
      return { code: broken.length ? 1 : 0, data, text: lines.join("\n") };
    },
  }),
};

function faultLine({ rule, where, what, todo }: Fault): string {
  return `${where}: ${what}.\n    ${todo} [${rule}]`;
}
