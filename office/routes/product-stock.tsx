import { data, Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { inOrder, sizeName } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { listStock } from "#app/owner/catalog/stock.server.ts";
import { type StockHappening, stockHistory } from "#app/owner/catalog/stock-history.server.ts";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Pager, View, Views } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { signed, titleOf } from "../stock/happening-words.ts";

const text = z.string().max(200).optional().catch(undefined);
const asked = z.object({ size: text, before: text, after: text });

export async function loader({ request, params: { id = "" }, context }: LoaderFunctionArgs) {
  requirePermission(context, "products");
  const search = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  const stock = inOrder(await listStock(db(), { id }));
  const [first] = stock;
  if (!first) throw data(null, 404);
  const size = stock.some((one) => one.size === search.size) ? search.size : undefined;
  return { ...(await stockHistory(db(), { id, ...search, size })), stock, size, id, title: first.title };
}

export default function ProductStock() {
  useFresh();
  const { rows: happenings, newer, older, stock, size, id, title } = useLoaderData<typeof loader>();
  const shown = stock.filter((one) => size === undefined || one.size === size);
  const sum = (of: (one: (typeof shown)[number]) => number) => shown.reduce((all, one) => all + of(one), 0);
  const figures = [
    ["In stock", sum(({ onHand }) => onHand)],
    ["Reserved", sum(({ held }) => held)],
    ["Free to sell", sum(({ onHand, held }) => onHand - held)],
    ["Sold so far", sum(({ sold }) => sold)],
  ] as const;
  return (
    <Page
      title={`Stock of ${title}`}
      back={{ to: "/products/stock", title: "Stock" }}
      about={
        <Link to={`/products/${id}`} className="underline underline-offset-3">
          The product
        </Link>
      }
    >
      <Views label="Sizes">
        {stock.length > 1 && (
          <View to="?" current={size === undefined}>
            All sizes
          </View>
        )}
        {stock.map((one) => (
          <View key={one.size} to={`?size=${one.size}`} current={size === one.size || stock.length === 1}>
            {sizeName(one.size)}
          </View>
        ))}
      </Views>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-3 py-4 lg:flex lg:gap-12">
        {figures.map(([name, number]) => (
          <div key={name}>
            <dt className="text-[0.8125rem] text-muted">{name}</dt>
            <dd className="text-[1.375rem] leading-7 font-bold tabular-nums">{number}</dd>
          </div>
        ))}
      </dl>
      {happenings.length === 0 ? (
        <p className="text-muted">No changes yet.</p>
      ) : (
        <History happenings={happenings} title={title} />
      )}
      <Pager about={`${happenings.length} on this page`} newer={newer} older={older} />
    </Page>
  );
}

/** The stock changes of a product, newest first, each with the resulting numbers. */
function History({ happenings, title }: { happenings: StockHappening[]; title: string }) {
  return (
    <table aria-label={`What happened to the stock of ${title}`} className="rows">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Size</th>
          <th scope="col">What</th>
          <th scope="col">By</th>
          <th scope="col" data-align="end">
            Stock
          </th>
          <th scope="col" data-align="end">
            Aside
          </th>
          <th scope="col" data-align="end">
            Stock then
          </th>
          <th scope="col" data-align="end">
            Reserved then
          </th>
        </tr>
      </thead>
      <tbody>
        {happenings.map((one) => (
          <tr key={one.place}>
            <td data-slot="" data-tone="muted">
              <Time at={one.at} />
            </td>
            <td data-slot="" data-tone="strong">
              {sizeName(one.size)}
            </td>
            <td data-slot="lead">
              <span className="lg:hidden">{sizeName(one.size)} · </span>
              {titleOf(one)}
            </td>
            <td data-slot="about">
              <span className="lg:hidden">
                <Time at={one.at} />{" "}
              </span>
              <By happening={one} />
            </td>
            <td data-slot="sum" data-align="end" data-tone="strong">
              {signed(one.change)}
              {one.change === 0 && one.held !== 0 && (
                <span className="font-normal text-muted lg:hidden">{signed(one.held)} aside</span>
              )}
            </td>
            <td data-slot="" data-align="end" data-tone="muted">
              {signed(one.held)}
            </td>
            <td data-slot="state" data-align="end">
              <span className="tabular-nums">
                <span className="text-muted lg:hidden">then </span>
                {one.left}
              </span>
            </td>
            <td data-slot="" data-align="end" data-tone="muted">
              {one.leftHeld}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The order or return of a stock change, or else the person and the interface. */
function By({ happening: { order, return: back, by, door } }: { happening: StockHappening }) {
  if (order) {
    return (
      <>
        <Link
          to={`/orders/${order}`}
          className="inline-flex min-h-6 items-center tabular-nums underline underline-offset-3"
        >
          {order}
        </Link>
        {back && (
          <Link
            to={`/returns/${back}`}
            className="ml-2 inline-flex min-h-6 items-center tabular-nums underline underline-offset-3"
          >
            {back}
          </Link>
        )}
      </>
    );
  }
  if (!by) return <span className="text-muted">before the history began</span>;
  return (
    <>
      {by}
      {door === "command" && <span className="text-muted"> by command</span>}
    </>
  );
}
