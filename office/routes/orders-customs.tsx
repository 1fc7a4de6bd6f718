import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { plural } from "#app/infra/text/plural.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { kilograms, printedCode } from "#app/owner/orders/customs/declaration.ts";
import { addressLines } from "#app/shipping/address.ts";
import { NIGERIA } from "#app/shipping/nigeria.ts";
import { Notice } from "../frame/notice.tsx";
import { NotPrinted, PrintPage } from "../orders/print/page.tsx";
import { customsToPrint } from "../orders/print/print.server.ts";

export function loader(args: LoaderFunctionArgs) {
  return customsToPrint(args);
}

type Data = Awaited<ReturnType<typeof customsToPrint>>;
type Order = Data["orders"][number];

/** A form with fewer kinds of items has empty rows below, for what is added by hand. */
const LEAST_ROWS = 4;

export default function CustomsForms() {
  const { orders: found, leftOut, mayPack, mayProducts, isSenderKnown, shop, today } = useLoaderData<typeof loader>();
  const orders = found.filter(({ whyNot }) => !whyNot);
  const stay = found.filter(({ whyNot }) => whyNot);
  return (
    <PrintPage
      kind="customs"
      about={`${plural(orders.length, "form")} CN23, each on a page of A4`}
      leftOut={leftOut}
      numbers={orders.map(({ number }) => number)}
      mayPack={mayPack}
      mayDeclare
    >
      <NotPrinted orders={stay} says={["has no customs form", "have no customs form"]} />
      <Missing orders={orders} mayProducts={mayProducts} isSenderKnown={isSenderKnown} />
      <style href="customs" precedence="default">
        {"@page { size: A4; margin: 12mm }"}
      </style>
      {orders.length > 0 && (
        <p className="mb-4 max-w-[60ch] text-[0.8125rem] text-muted print:hidden">
          Print it twice or as often as your post asks, sign it, and put it outside on the parcel, with the receipt.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a phone shows a part of a form, and the keyboard must reach the rest */}
      <section aria-label="Forms" tabIndex={0} className="overflow-x-auto print:overflow-visible">
        {orders.map((order) => (
          <Form key={order.number} order={order} shop={shop} today={today} />
        ))}
      </section>
    </PrintPage>
  );
}

/** What the forms lack, with links to where it is filled in. Never printed. */
function Missing({
  orders,
  mayProducts,
  isSenderKnown,
}: Pick<Data, "mayProducts" | "isSenderKnown"> & { orders: Order[] }) {
  const rows = orders.flatMap(({ declaration }) => declaration.rows.filter(({ missing }) => missing.length > 0));
  const products = new Map(rows.map((row) => [row.productId, row]));
  if (orders.length === 0 || (products.size === 0 && isSenderKnown)) return null;
  return (
    <div className="mb-4 print:hidden">
      <Notice kind="error">
        <strong className="font-semibold">Customs may stop a parcel without this:</strong>
        <ul>
          {!isSenderKnown && <li>the shop’s name and address, as the sender</li>}
          {[...products.values()].map(({ productId, title, missing }) => (
            <li key={productId}>
              {mayProducts ? (
                <Link to={`/products/${productId}`} className="underline">
                  {title}
                </Link>
              ) : (
                <span>{title}</span>
              )}{" "}
              <span>{`(${missing.join(", ")})`}</span>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

/** The fields of the Universal Postal Union’s form CN23, with its numbers. What the post fills in stays empty. */
function Form({ order, shop, today }: { order: Order; shop: Data["shop"]; today: string }) {
  const { number, shipping, declaration, tracking, receipt } = order;
  const { rows } = declaration;
  const money = formatKobo(kobo(declaration.kobo));
  const blank = Array.from({ length: Math.max(0, LEAST_ROWS - rows.length) }, (_, at) => `blank ${at}`);
  const cell = "border border-ink px-1.5 py-1 align-top";
  const head = `${cell} text-left font-normal`;
  const amount = `${cell} text-right tabular-nums`;
  return (
    <article
      aria-label={`Customs form of ${number}`}
      className="mb-5 w-[186mm] break-after-page bg-white text-[3.2mm] leading-[4.2mm] text-ink last:break-after-auto print:mb-0"
    >
      <header className="flex items-end justify-between border border-b-0 border-ink px-1.5 py-1">
        <h2 className="text-[4.6mm] leading-[6mm] font-bold">CUSTOMS DECLARATION</h2>
        <span>May be opened officially</span>
        <strong className="text-[4.6mm] leading-[6mm]">CN 23</strong>
      </header>
      <div className="grid grid-cols-2">
        <Party title="From" lines={[...shop.lines, NIGERIA.name]} phone={shop.phone}>
          <Blank label="Sender’s customs reference (if any)" />
        </Party>
        <Party title="To" lines={addressLines({ ...shipping, phoneNumber: "" })} phone={shipping.phoneNumber}>
          <Blank label="Importer’s reference (tax code, VAT no., importer code) (if any)" />
        </Party>
      </div>
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={head}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.productId} className="break-inside-avoid">
              <td className={`${cell} wrap-anywhere`}>{row.description}</td>
              <td className={amount}>{row.quantity}</td>
              <td className={amount}>{row.grams !== undefined && kilograms(row.grams)}</td>
              <td className={amount}>{formatKobo(kobo(row.kobo))}</td>
              <td className={`${cell} tabular-nums`}>{row.hsCode && printedCode(row.hsCode)}</td>
              <td className={cell}>{row.origin}</td>
            </tr>
          ))}
          {blank.map((name) => (
            <tr key={name} aria-hidden className="h-[8mm]">
              {COLUMNS.map((column) => (
                <td key={column} className={cell} />
              ))}
            </tr>
          ))}
          <tr>
            <td className={cell}>
              Total net weight, kg: <strong>{declaration.grams !== undefined && kilograms(declaration.grams)}</strong>
            </td>
            <td className={cell} colSpan={2}>
              Total gross weight, kg (4)
            </td>
            <td className={cell}>
              Total value (6) <strong className="block text-right tabular-nums">{money}</strong>
            </td>
            <td className={cell} colSpan={2}>
              Postal charges/fees (9)
            </td>
          </tr>
        </tbody>
      </table>
      <div className="grid grid-cols-2">
        <div className="border border-t-0 border-ink px-1.5 py-1">
          <p>Category of item (10)</p>
          <p className="grid grid-cols-2">
            {CATEGORIES.map((name) => (
              <span key={name}>{`${name === SALE ? "☒" : "☐"} ${name}`}</span>
            ))}
          </p>
          <Blank label="Explanation" />
        </div>
        <div className="border border-t-0 border-l-0 border-ink px-1.5 py-1">
          <p>Office of origin, date of posting</p>
          <p className="mt-[6mm]">
            <span>No. of item</span>
            {tracking ? <strong>{`: ${tracking}`}</strong> : <span> (barcode, if any)</span>}
          </p>
        </div>
      </div>
      <div className="border border-t-0 border-ink px-1.5 py-1">
        <p>Comments (11)</p>
        <p>
          Order {number}. At its exchange rate the total value is {formatUsd(usdCents(declaration.cents))}.
        </p>
      </div>
      <div className="grid grid-cols-3">
        <div className="border border-t-0 border-ink px-1.5 py-1">☐ Licence (12), no.</div>
        <div className="border border-t-0 border-l-0 border-ink px-1.5 py-1">☐ Certificate (13), no.</div>
        <div className="border border-t-0 border-l-0 border-ink px-1.5 py-1">
          {`${receipt ? "☒" : "☐"} Invoice (14), no. `}
          <strong className="tabular-nums">{receipt}</strong>
        </div>
      </div>
      <div className="border border-t-0 border-ink px-1.5 py-1">
        <p>
          I certify that the particulars in this declaration are correct, and that this item holds no dangerous article
          and nothing that the law or postal or customs regulations prohibit.
        </p>
        <p className="mt-[9mm] flex justify-between gap-4">
          <span>Date and sender’s signature (15): {today}</span>
          <span className="min-w-[70mm] border-b border-ink" />
        </p>
      </div>
    </article>
  );
}

const COLUMNS = [
  "Detailed description of contents (1)",
  "Quantity (2)",
  "Net weight, kg (3)",
  "Value, NGN (5)",
  "HS tariff number (7)",
  "Country of origin of goods (8)",
];
const SALE = "Sale of goods";
const CATEGORIES = ["Gift", "Documents", "Commercial sample", "Returned goods", SALE, "Other"];

function Party({
  title,
  lines,
  phone,
  children,
}: {
  title: string;
  lines: string[];
  phone: string;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-[38mm] flex-col border border-b-0 border-ink px-1.5 py-1 wrap-anywhere nth-2:border-l-0">
      <strong>{title}</strong>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
      <span className="tabular-nums">Tel. {phone}</span>
      <div className="mt-auto">{children}</div>
    </div>
  );
}

/** A field to be filled in by hand. */
function Blank({ label }: { label: string }) {
  return <p className="pb-[4mm]">{label}</p>;
}
