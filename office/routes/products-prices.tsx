import { useContext } from "react";
import { Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { idsInCollection } from "#app/catalog/search/search.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { storedCollection } from "#app/owner/collections/collections.server.ts";
import { listSales } from "#app/owner/prices/sale-list.server.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer, useTimesDone } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { ShopZone } from "../frame/times.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { useKinds } from "../kinds/context.ts";
import { MOST_PRODUCTS, SALE_CHANGES } from "../prices/changes.server.ts";
import { Preview } from "../prices/preview.tsx";
import { Sales } from "../prices/sales.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "discounts");
  const { searchParams } = new URL(request.url);
  const named = (name: string) => searchParams.get(name)?.slice(0, 100) ?? "";
  const [sales, { rate }, collection] = await Promise.all([
    listSales(db()),
    rateInForce(db()),
    storedCollection(db(), named("collection")),
  ]);
  const list = collection ? (await idsInCollection(db(), collection, MOST_PRODUCTS)).join("\n") : named("product");
  return { sales, rate, list, mayChange: may(role, "prices"), maySeeProducts: may(role, "products") };
}

export const action = changes(SALE_CHANGES);
export const clientAction = keepWhatIsTyped;

/** The running and planned sale prices, and, for who may set them, a form for further ones with a preview. */
export default function ProductsPrices() {
  useFresh();
  const { sales, rate, mayChange, maySeeProducts } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const saved = useTimesDone(done, "save");
  return (
    <Page title="Sale prices" back={maySeeProducts ? { to: "/products", title: "Products" } : undefined}>
      {done?.ok && done.what && <Notice kind="done">{done.what}</Notice>}
      {done && !done.ok && "problem" in done && <Notice kind={done.sale ? "info" : "error"}>{done.problem}</Notice>}
      {done && !done.ok && "sale" in done && done.sale && <Preview sale={done.sale} rate={rate} />}
      <div className="grid lg:grid-cols-2 lg:gap-x-16">
        {mayChange && <NewSale key={saved} />}
        <Section title="Running and planned">
          {sales.length > 0 ? (
            <Sales sales={sales} mayChange={mayChange} />
          ) : (
            <p className="text-muted">No product is on sale.</p>
          )}
        </Section>
      </div>
    </Page>
  );
}

function NewSale() {
  const kinds = useKinds();
  const { list } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const zone = useContext(ShopZone);
  const isPending = useNavigation().formData?.get("intent") === "save";
  const problems = done && !done.ok && "problems" in done ? done.problems : {};
  const text = (name: "percent" | "price", label: string, placeholder: string) => (
    <Field label={label} problem={problems[name]}>
      <input
        name={name}
        inputMode="decimal"
        placeholder={placeholder}
        autoComplete="off"
        className="input tabular-nums"
      />
    </Field>
  );
  const moment = (name: "from" | "until", label: string, empty: string) => (
    <Field label={label} note={`${zone}; empty: ${empty}`} problem={problems[name]}>
      <input name={name} type="datetime-local" className="input tabular-nums" />
    </Field>
  );
  return (
    <Section title="Set sale prices">
      <Form method="post" preventScrollReset className="grid gap-4.5">
        <Field label="All of a kind" problem={problems.kind}>
          <select name="kind" defaultValue="" className="input">
            <option value="">None: those in the list</option>
            {kinds.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field
          label="Or a list"
          note="one product a line: its id or address, and its own price if it has one"
          problem={problems.list}
        >
          <textarea name="list" rows={4} defaultValue={list} placeholder="rings-tee 41.99" className="input" />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          {text("percent", "Percent off", "20")}
          {text("price", "Or the price in dollars", "41.99")}
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          {moment("from", "From", "now")}
          {moment("until", "Until", "no end")}
        </div>
        <label className="tick">
          <input type="checkbox" name="finalSale" />
          Final sale: what’s bought meanwhile can’t come back
        </label>
        <div>
          <Button name="intent" value="save" isPending={isPending}>
            Show what changes
          </Button>
        </div>
      </Form>
    </Section>
  );
}
