import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { countIssues } from "#app/owner/money/issues.server.ts";
import { searchPayments } from "#app/owner/money/payments.server.ts";
import { PAYMENT_STANDING, PAYMENT_STATES } from "#app/owner/money/payments.ts";
import { companyNames } from "#app/providers/descriptions.ts";
import { ButtonLink } from "../frame/button.tsx";
import { Days } from "../frame/days.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Filters, List, Pager, SelectFilter } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { keysetOf, listParams } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { PaymentsTable } from "../money/payments-table.tsx";
import { MoneyTabs } from "../money/tabs.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "money");
  const params = new URL(request.url).searchParams;
  const { text, from, until, oneOf, yesOrNo } = listParams(params);
  const search = { text, from, until, state: oneOf("state", PAYMENT_STATES), differing: yesOrNo("differing") };
  return { ...(await searchPayments(db(), search, keysetOf(params))), issues: await countIssues(db()) };
}

const STATES = Object.fromEntries(PAYMENT_STATES.map((state) => [state, PAYMENT_STANDING[state].text]));

export default function Payments() {
  useFresh();
  const { rows, newer, older, issues } = useLoaderData<typeof loader>();
  const compare = (
    <ButtonLink to="/money/review" look="line">
      {`Compare with ${companyNames()}`}
    </ButtonLink>
  );
  return (
    <Page title="Money" about={`What the shop has, beside what ${companyNames()} last said`} actions={compare}>
      <MoneyTabs current="/money/payments" issues={issues} />
      <Filters search="Reference or order">
        <Days />
        <SelectFilter name="state" label="State" options={STATES} />
        <SelectFilter
          name="differing"
          label="All payments"
          options={{ yes: `Where ${companyNames()} says otherwise` }}
        />
      </Filters>
      <List
        rows={rows}
        one="payment"
        nothing="Nobody has paid yet. Payments appear by themselves."
        all="/money/payments"
      >
        <PaymentsTable payments={rows} />
        <Pager about={`${plural(rows.length, "payment")} on this page`} newer={newer} older={older} />
      </List>
    </Page>
  );
}
