import { Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import type { UsdCents } from "#app/money/money.ts";
import { useAnswer, useTimesDone } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { useKinds } from "../kinds/context.ts";
import { AgreeForm } from "../prices/agree-form.tsx";
import { PRICE_CHANGES } from "../prices/price-changes.server.ts";
import type { PricePreview } from "../prices/price-preview.ts";
import { SumChangeFields } from "../prices/sum-change-fields.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "catalogue");
  return { rate: (await rateInForce(db())).rate };
}

export const action = changes(PRICE_CHANGES);
export const clientAction = keepWhatIsTyped;

/** The screen that changes the normal prices of many products at once, after a preview. */
export default function ChangePrices() {
  useFresh();
  const { rate } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const saved = useTimesDone(done, "save");
  return (
    <Page title="Change prices" back={{ to: "/products", title: "Products" }}>
      {done?.ok && done.what && <Notice kind="done">{done.what}</Notice>}
      {done && !done.ok && "problem" in done && <Notice kind="info">{done.problem}</Notice>}
      {done && !done.ok && "prices" in done && done.prices && <Preview prices={done.prices} rate={rate} />}
      <Section title="Which, and how">
        <ChangeForm key={saved} />
      </Section>
    </Page>
  );
}

function ChangeForm() {
  const kinds = useKinds();
  const { rate } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData?.get("intent") === "save";
  const problems = done && !done.ok && "problems" in done ? done.problems : {};
  return (
    <Form method="post" preventScrollReset className="grid max-w-160 gap-4.5">
      <Field label="Products" problem={problems.which}>
        <select name="which" defaultValue="" className="input">
          <option value="">Those in the list below</option>
          <option value="all">All products</option>
          {kinds.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Or a list" note="one product a line: its id or address" problem={problems.list}>
        <textarea name="list" rows={4} placeholder="rings-tee" className="input" />
      </Field>
      <SumChangeFields rate={rate} problem={problems.by} />
      <p className="text-muted">
        These are the normal prices. Sale prices in percent move with them; sale prices in dollars stay.
      </p>
      <div>
        <Button name="intent" value="save" isPending={isPending}>
          Show what changes
        </Button>
      </div>
    </Form>
  );
}

function Preview({ prices: { typed, rows, count, doubts }, rate }: { prices: PricePreview; rate: Rate }) {
  return (
    <Section title={plural(count, "price")}>
      {doubts.length > 0 && (
        <Notice kind="error">
          <strong className="font-semibold">Is this meant?</strong>
          {doubts.map((doubt) => (
            <p key={doubt}>{doubt}</p>
          ))}
        </Notice>
      )}
      <table aria-label="Prices" className="rows mt-3">
        <thead>
          <tr>
            <th scope="col">Product</th>
            {["Now", "New", "New in naira"].map((head) => (
              <th scope="col" key={head} data-align="end">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, title, color, hidden, was, becomes }) => (
            <tr key={id}>
              <td data-slot="lead">{[title, color, hidden && "not shown"].filter(Boolean).join(", ")}</td>
              <td data-slot="about" data-align="end" data-tone="muted">
                {formatUsd(was)} <span className="lg:hidden">now</span>
              </td>
              <td data-slot="sum" data-align="end">
                {formatUsd(becomes)}
              </td>
              <td data-slot="state" data-align="end">
                {nairaOf(becomes, rate)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > rows.length && <p className="mt-3 text-muted">{`and ${count - rows.length} more`}</p>}
      <AgreeForm typed={typed}>{`Change ${plural(count, "price")}`}</AgreeForm>
    </Section>
  );
}

const nairaOf = (price: UsdCents, rate: Rate) => formatKobo(chargeInKobo(price, rate));
