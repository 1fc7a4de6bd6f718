import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { countIssues } from "#app/owner/money/issues.server.ts";
import { countReceipts } from "#app/owner/receipts/list.server.ts";
import { vatRates } from "#app/owner/receipts/number.server.ts";
import { receiptSettings } from "#app/owner/receipts/settings.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { useAnswer, useTimesDone } from "../connection/answer.ts";
import { alsoAfterRefusal, keepWhatIsTyped, notDoneText, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Hint, Page, Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { MoneyTabs } from "../money/tabs.tsx";
import { RECEIPT_CHANGES } from "../receipts/changes.server.ts";
import { SettingsForm } from "../receipts/settings-form.tsx";
import { VatRateForm, VatRates } from "../receipts/vat-rates.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "money");
  const [settings, rates, total, issues] = await Promise.all([
    receiptSettings(db()),
    vatRates(db()),
    countReceipts(db()),
    countIssues(db()),
  ]);
  return { settings, rates, total, today: shopDay(), issues };
}

export const action = changes(RECEIPT_CHANGES);
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

/** The screen with the settings of receipts and the rates of VAT. */
export default function Receipts() {
  useFresh();
  const { settings, rates, total, today, issues } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const ratesSet = useTimesDone(done, "rate");
  const refused = done && !done.ok ? done : undefined;
  const ofRate = refused?.intent === "rate" ? refused : undefined;
  return (
    <Page title="Money" about="A receipt with a number for each sale, and the VAT in it">
      <MoneyTabs current="/money/receipts" issues={issues} />
      {done?.ok && <Notice kind="done">{done.what}</Notice>}
      {refused && "problem" in refused && !refused.isStale && (
        <Notice kind="error">{notDoneText(refused, "Nothing was changed.")}</Notice>
      )}
      <div className="lg:grid lg:grid-cols-2 lg:gap-x-16">
        <Section title="Receipts">
          <p className="mb-4 text-muted">
            {settings.since ? (
              <span>
                On since <Time at={settings.since} look="moment" />
                {`. ${total === 0 ? "No number yet" : `Receipts and credit notes so far: ${total}`}.`}
              </span>
            ) : (
              <span>Off: sales get no number and no receipt. Earlier receipts stay.</span>
            )}
          </p>
          <SettingsForm settings={settings} done={done} />
          <Hint className="mt-4 max-w-120">
            Numbers have no gap and count from 1 each year. They begin when you switch receipts on: earlier sales, test
            sales and imported ones get none. A receipt stays as it was when it got its number.
          </Hint>
        </Section>
        <div>
          <Section title="Rates of VAT">
            <VatRates rates={rates} today={today} />
          </Section>
          <Section title="New rate">
            <VatRateForm
              key={ratesSet}
              rates={rates}
              today={today}
              problems={ofRate && "problems" in ofRate ? ofRate.problems : {}}
              typed={ofRate?.values}
            />
            <Hint className="mt-4 max-w-120">
              Prices include VAT. A sale has the rate of its own day, on goods and delivery; a parcel sent abroad has
              0%.
            </Hint>
          </Section>
        </div>
      </div>
    </Page>
  );
}
