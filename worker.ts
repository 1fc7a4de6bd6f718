import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { renderers as accountEmails } from "#app/account/emails.tsx";
import { forgetLinkCodes } from "#app/account/link-code.server.ts";
import { sendLink } from "#app/account/link-request.server.ts";
import { forgetOpenIdStates } from "#app/account/open-id.server.ts";
import { forgetEndedSessions } from "#app/account/session.server.ts";
import { forgetCatalogChanges } from "#app/catalog/catalog-changes.server.ts";
import { refreshRate } from "#app/catalog/rates.server.ts";
import { renderers as checkoutEmails } from "#app/checkout/emails.tsx";
import { reviewRefundsMade } from "#app/checkout/provider-review.server.ts";
import { startTending } from "#app/checkout/reconcile.server.ts";
import { db } from "#app/infra/db.server.ts";
import { forgetGivenUpMails, sendQueuedMail } from "#app/infra/mail.server.ts";
import { type JobName, repeat, type Work, workOn } from "#app/infra/queue.server.ts";
import { forgetLimits } from "#app/infra/rate-limit.server.ts";

const emails = { ...accountEmails, ...checkoutEmails };

/** Everything that runs by itself. Payments are looked after apart, on their own table: see reconcile.server.ts. */
const jobs: { [Name in JobName]: Work<Name> } = {
  "send-mail": ({ id }) => sendQueuedMail(id, emails),
  "send-link": (asked) => sendLink(db(), asked),
  "refresh-rate": () => refreshRate(db()),
  "forget-changes": async () => {
    await forgetCatalogChanges(db());
    await forgetLimits(db());
    await forgetOpenIdStates(db());
    await forgetEndedSessions(db());
    await forgetGivenUpMails(db());
    await forgetLinkCodes(db());
  },
  "review-refunds": () => reviewRefundsMade(db("checkout"), 7),
  "make-pictures": (_, stopping) => runApart("make-pictures.ts", stopping),
};

/** Runs a program of the shop until it ends, or asks it to when the shop stops; an error when it has not done its work. */
async function runApart(program: string, stopping: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [path.resolve(program)], { stdio: ["pipe", "inherit", "inherit"] });
  stopping.addEventListener("abort", () => child.stdin.end());
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/** Starts the jobs in this process; the answer stops them. */
export async function startWorker(): Promise<() => Promise<void>> {
  for (const name of Object.keys(jobs) as JobName[]) await workOn(name, jobs[name] as Work<JobName>);
  await repeat("refresh-rate", "17 * * * *");
  await repeat("forget-changes", "*/5 * * * *");
  await repeat("review-refunds", "41 * * * *");
  return startTending(db("checkout"));
}
