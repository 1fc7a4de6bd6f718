import { env } from "#app/infra/env.server.ts";
import { type Ended, endTrial, type Mode } from "#app/owner/trial/end.server.ts";
import { hasTrialLeft, leftByTrial, linesOf } from "#app/owner/trial/left.server.ts";
import { type Actions, action, badInput } from "./command.ts";

const MODES: readonly Mode[] = ["test", "live"];

export const goLive: Actions = {
  "go-live": action({
    options: { "old-payments": "MODE", "dry-run": true },
    says: "ends the trial before the first start with live keys: test orders no longer count or hold stock, demo staff and customers at addresses for examples are removed, everyone is signed out; the catalogue stays. --old-payments test or live: which keys took payments that don't say so; --dry-run: only lists what the trial left",
    changes: true,
    asOwner: true,
    async run({ db, by, confirm, options }) {
      const left = await leftByTrial(db);
      const lines = linesOf(left);
      const listed = [
        "Left over from the trial:",
        ...(lines.length > 0 ? lines : ["nothing"]).map((line) => `  ${line}`),
      ].join("\n");
      if (options["dry-run"]) return { code: 0, data: { left }, text: listed };
      if (!env.live) return badInput("PAYSTACK_SECRET_KEY isn't a live key (sk_live_…). Set the live keys first");
      const unknown = MODES.find((mode) => mode === options["old-payments"]);
      if (options["old-payments"] !== undefined && !unknown) return badInput("--old-payments must be 'test' or 'live'");
      if (left.unknownPayments > 0 && !unknown)
        return badInput(
          `${listed}\nAdd --old-payments test, or --old-payments live: payments made with live keys stay as they are.`,
        );
      if (hasTrialLeft(left)) await confirm(`${listed}\nKeep only the catalogue? This can't be undone.`);
      const ended = await endTrial(db, by, unknown);
      return { code: 0, data: { left, ended }, text: textOf(ended) };
    },
  }),
};

function textOf({ orders, units, mails, staff, customers, invented }: Ended): string {
  return [
    `The shop is live. ${orders} test orders no longer count, ${units} pieces are back in stock, and ${mails} emails won't be sent.`,
    `${staff.length} demo staff were removed, ${customers} customers' sign-ins have ended, and everyone has to sign in again.`,
    `${invented.customers} customers and ${invented.subscribers} newsletter subscribers at addresses for examples were deleted.`,
    "To see who can use the office: npm run shop -- staff list",
  ].join("\n");
}
