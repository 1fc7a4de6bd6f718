import { useState } from "react";
import {
  type ActionFunctionArgs,
  data,
  Form,
  type LoaderFunctionArgs,
  redirect,
  useLoaderData,
  useNavigation,
} from "react-router";
import { type FileText, fileText } from "#app/infra/document/file-text.ts";
import { readCurrency } from "#app/owner/catalog/foreign/currency.ts";
import { COLUMNS, columnWords } from "#app/owner/catalog/product-table.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, PlainLink } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { keepWhatIsTyped, unlessOffline } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { RecentWork } from "../frame/progress.tsx";
import { MOST_POSTED, postedForm } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { CurrencyForm } from "../import/currency-form.tsx";
import { beginPreview, previews, recentImports } from "../import/works.server.ts";

export function loader({ context }: LoaderFunctionArgs) {
  const { id } = requirePermission(context, "catalogue");
  const words = columnWords();
  const alike = Map.groupBy(COLUMNS, (name) => words[name] ?? "");
  return {
    columns: [...alike].map(([says, names]) => ({ name: names.join(", "), says })),
    works: recentImports(id),
  };
}

/**
 * Starts reading a table and redirects to its preview. `again` reads the table of an earlier preview; another shop's
 * file then has the currency that was chosen for it. No product is changed.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const staff = requirePermission(context, "catalogue");
  const form = await postedForm(request, { fields: 6, bytes: MOST_POSTED });
  const text = (name: string) => String(form.get(name) ?? "");
  const before = previews.find(staff.id, text("again"))?.result;
  const given = before ? { text: before.text } : await givenText(form);
  if ("problem" in given) return data({ ok: false, problem: given.problem }, 422);
  const withStock = before?.preview.withStock ?? form.get("withStock") === "on";
  const typed = { currency: text("currency"), rate: text("rate") };
  const currency = typed.currency === "" ? before?.currency : readCurrency(typed.currency, typed.rate);
  if (currency && "problems" in currency) {
    const shop = before?.preview.foreign?.shop;
    if (shop) return data({ ok: false, asks: { shop, preview: text("again"), typed, ...currency } }, 422);
    return data({ ok: false, problem: Object.values(currency.problems).join(". ") }, 422);
  }
  return redirect(`/products/import/${await beginPreview(staff.id, given.text, withStock, currency)}`);
}

async function givenText(form: FormData): Promise<FileText> {
  const file = form.get("file");
  if (!(file instanceof File) || file.size === 0) {
    const text = String(form.get("rows") ?? "");
    return text.trim() === "" ? { problem: "Choose a file, or paste its rows." } : { text };
  }
  const read = fileText(new Uint8Array(await file.arrayBuffer()));
  return "problem" in read ? { problem: `${file.name} ${read.problem}.` } : read;
}

export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

export default function ProductsImport() {
  const { columns, works } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  const [isPasting, setPasting] = useState(false);
  const problem = done && "problem" in done ? done.problem : undefined;
  const asks = done && "asks" in done ? done.asks : undefined;
  return (
    <Page
      title="Import products"
      back={{ to: "/products/stock", title: "Stock" }}
      about="You see every change before anything is saved"
    >
      <RecentWork works={works} />
      {asks && <CurrencyForm {...asks} />}
      <div className="lg:grid lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-16">
        <Section title="The table">
          <Form method="post" encType="multipart/form-data" className="grid gap-4.5">
            <Field label="File" note="CSV, as Excel, Google Sheets, Shopify and WooCommerce save it">
              <input
                type="file"
                name="file"
                accept=".csv,.tsv,.txt,text/csv"
                className="input h-auto bg-white file:mr-3 file:min-h-8 file:rounded-cut file:border-0 file:bg-linen file:px-3 file:font-semibold"
              />
            </Field>
            {isPasting ? (
              <Field label="Rows" note="with the row that names the columns">
                <textarea
                  name="rows"
                  rows={8}
                  spellCheck={false}
                  placeholder={"id\tprice\nlagos-home-jersey\t54.99"}
                  className="input font-mono"
                />
              </Field>
            ) : (
              <Button type="button" look="quiet" className="justify-self-start" onPress={() => setPasting(true)}>
                Paste the rows instead
              </Button>
            )}
            <label className="tick items-start">
              <input type="checkbox" name="withStock" className="mt-0.5" />
              <span>
                Also change the stock of existing products.{" "}
                <span className="block text-muted">
                  Otherwise their stock stays as it is. If something is sold between preview and import, the import
                  stops.
                </span>
              </span>{" "}
            </label>
            {problem && <Notice kind="error">{problem}</Notice>}
            <Button
              look={asks ? "line" : "solid"}
              isPending={isPending}
              className="min-h-12 max-lg:w-full lg:min-h-10 lg:justify-self-start"
            >
              {isPending ? "Reading…" : "Show what would change"}
            </Button>
          </Form>
        </Section>
        <Section title="Start with a ready-made table">
          <div className="flex flex-wrap gap-2">
            <PlainLink href="/products/export.csv" download>
              <DownloadIcon className="size-5" />
              Today’s products
            </PlainLink>
            <PlainLink href="/products/import/template.csv" download>
              <DownloadIcon className="size-5" />
              An empty one
            </PlainLink>
          </div>
          <p className="mt-3 flex flex-wrap gap-2">
            <PlainLink href="/products/export.csv?for=shopify" download>
              <DownloadIcon className="size-5" />
              For Shopify
            </PlainLink>
            <PlainLink href="/products/export.csv?for=woocommerce" download>
              <DownloadIcon className="size-5" />
              For WooCommerce
            </PlainLink>
          </p>
          <p className="mt-3 text-muted">
            Change what you like and import it here. A row needs its id and what changes. Missing columns and rows stay
            as they are.
          </p>
        </Section>
      </div>
      <Section title="Columns">
        <dl className="border-t border-hairline">
          {columns.map(({ name, says }) => (
            <div key={name} className="border-b border-hairline py-2 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]">
              <dt className="font-semibold">{name}</dt>
              <dd className="text-muted">{says}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </Page>
  );
}
