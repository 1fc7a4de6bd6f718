import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { renderers as accountEmails } from "#app/account/emails.tsx";
import { deleteExpiredOpenIdStates } from "#app/account/google/open-id.server.ts";
import { forgetLinkCodes } from "#app/account/link/code.server.ts";
import { sendLink } from "#app/account/link/request.server.ts";
import { deleteExpiredSignInLinks, sendSignInLink } from "#app/account/link/sign-in-link.server.ts";
import { deleteOldDevices } from "#app/account/session/known-device.server.ts";
import { deleteEndedSessions } from "#app/account/session/store.server.ts";
import { deleteOldCatalogChanges } from "#app/catalog/changes.server.ts";
import { writeFeeds } from "#app/catalog/feeds/files.server.ts";
import { nameModels } from "#app/catalog/models/models.server.ts";
import { removePictures } from "#app/catalog/pictures/store.server.ts";
import { applyDuePrices } from "#app/catalog/prices/apply.server.ts";
import { publishDue } from "#app/catalog/publish.server.ts";
import { refreshRate } from "#app/catalog/rates.server.ts";
import { deleteOldStockAlerts, sendStockAlerts } from "#app/catalog/stock-alerts/alerts.server.ts";
import { renderers as catalogEmails } from "#app/catalog/stock-alerts/emails.tsx";
import { inOwnWords } from "#app/content/mails.server.tsx";
import { deleteOldMissed } from "#app/content/old-addresses/missed.server.ts";
import { deleteEndedPreviews } from "#app/content/preview/preview.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { type JobName, repeat, type Work, workOn } from "#app/infra/database/queue.server.ts";
import { deleteExpiredLimits } from "#app/infra/http/rate-limit.server.ts";
import { killedText } from "#app/infra/killed-text.ts";
import { forgetGivenUpMails, sendQueuedMail } from "#app/infra/mail.server.ts";
import { renderers as payerEmails } from "#app/orders/payer/emails.tsx";
import { orderMailsOn, tellAccountToo } from "#app/orders/reader/mails.server.ts";
import { recentHappenings } from "#app/owner/happenings.server.ts";
import { reviewRefundsMade } from "#app/owner/provider-review.server.ts";
import { receiptAttachments } from "#app/owner/receipts/attachments.server.ts";
import { startNumbering } from "#app/owner/receipts/number.server.ts";
import { showNoticeInTime } from "#app/owner/shop/settings.server.ts";
import { startReconciling } from "#app/payments/reconcile.server.ts";
import { renderers as staffEmails } from "#app/staff/emails.tsx";
import { sendNotifications } from "#app/staff/notifications/send.server.ts";

const emails = {
  ...inOwnWords(db, { ...accountEmails, ...orderMailsOn(db) }),
  ...catalogEmails,
  ...payerEmails,
  ...staffEmails,
};

/**
 * All background jobs. Payments are reconciled and receipts numbered separately, by their own tables: see
 * reconcile.server.ts and number.server.ts.
 */
const jobs: { [Name in JobName]: Work<Name> } = {
  "send-mail": async ({ id }) => {
    await tellAccountToo(db(), id);
    await sendQueuedMail(id, emails, db(), receiptAttachments);
  },
  "send-link": (asked) => sendLink(db(), asked),
  "send-sign-in-link": ({ id }) => sendSignInLink(db(), id),
  "refresh-rate": () => refreshRate(db()),
  "forget-changes": async () => {
    await deleteOldCatalogChanges(db());
    await deleteOldStockAlerts(db());
    await deleteExpiredLimits(db());
    await deleteExpiredOpenIdStates(db());
    await deleteEndedSessions(db());
    await deleteOldDevices(db());
    await deleteExpiredSignInLinks(db());
    await forgetGivenUpMails(db());
    await forgetLinkCodes(db());
    await deleteOldMissed(db());
    await deleteEndedPreviews(db());
  },
  "review-refunds": () => reviewRefundsMade(db("checkout"), 7),
  "send-stock-alerts": () => sendStockAlerts(db()),
  "show-notice": () => showNoticeInTime(db()),
  "name-models": (_, stopping) => nameModels(db(), stopping),
  "publish-products": () => publishDue(db()),
  "apply-prices": () => applyDuePrices(db()),
  "write-feeds": (_, stopping) => writeFeeds(db(), stopping),
  "send-notifications": (_, stopping) => sendNotifications(db(), () => recentHappenings(db()), { stopping }),
  "make-pictures": (_, stopping) => runApart("make-pictures.ts", stopping),
  "remove-pictures": ({ names }) => removePictures(names),
};

/**
 * Runs a program of the shop until it ends, and asks it to end when the shop stops. Throws if the program's exit code
 * is not 0.
 */
async function runApart(program: string, stopping: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [path.resolve(program)], { stdio: ["pipe", "inherit", "inherit"] });
  stopping.addEventListener("abort", () => child.stdin.end(), { once: true });
  const [code, signal] = await once(child, "exit");
  if (code !== 0) throw new Error(`${program} ended with ${signal ?? code}${killedText(signal)}`);
}

/**
 * Starts the jobs in this process. The returned function stops the reconciliation of payments and the numbering of
 * receipts; closing the queue stops the jobs.
 */
export async function startWorker(): Promise<() => Promise<void>> {
  for (const name of Object.keys(jobs) as JobName[]) await workOn(name, jobs[name] as Work<JobName>);
  await repeat("refresh-rate", "17 * * * *");
  await repeat("forget-changes", "*/5 * * * *");
  await repeat("send-stock-alerts", "* * * * *");
  await repeat("show-notice", "* * * * *");
  await repeat("publish-products", "* * * * *");
  await repeat("apply-prices", "* * * * *");
  await repeat("write-feeds", "* * * * *");
  await repeat("send-notifications", "* * * * *");
  await repeat("review-refunds", "41 * * * *");
  const stops = [startReconciling(db("checkout")), startNumbering(db())];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
