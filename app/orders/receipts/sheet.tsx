import { Fragment } from "react";
import type { CreditNote, Receipt } from "./receipt.ts";
import { COLUMNS, creditTexts, receiptTexts, type SheetTexts, type SumText } from "./texts.ts";

type Props = { receipt: Receipt; heading?: "h1" | "h2" };

/** A receipt as it is printed, on a page of A4 or on a narrow slip. */
export function ReceiptSheet({ receipt, heading = "h2" }: Props) {
  return <Sheet texts={receiptTexts(receipt)} heading={heading} isMuted />;
}

/** A credit note in the same way. */
export function CreditSheet({ receipt, credit, heading = "h2" }: Props & { credit: CreditNote }) {
  return <Sheet texts={creditTexts(receipt, credit)} heading={heading} />;
}

type SheetProps = { texts: SheetTexts; heading: "h1" | "h2"; isMuted?: boolean };

function Sheet({ texts, heading: Heading, isMuted }: SheetProps) {
  const { seller, title, number, day, test, facts, about, rows, closing } = texts;
  return (
    <article className="grid gap-6 break-inside-avoid wrap-anywhere">
      <p>
        <strong className="block">{seller.name}</strong> <Lines of={seller.lines} />
      </p>
      <div>
        <Heading className="headline text-3xl font-bold print:text-2xl">{title}</Heading>
        <p>
          <strong className="tabular-nums">{number}</strong> <span>{day}</span>
        </p>
        {test && <p>{test}</p>}
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        {facts.map((fact) => (
          <div key={fact.title}>
            <dt className="font-semibold">{fact.title}</dt>
            <dd className="m-0">
              <Lines of={fact.lines} />
            </dd>
          </div>
        ))}
      </dl>
      <Table about={about} rows={rows} />
      <Sums texts={texts} />
      <p className={isMuted ? "text-muted" : undefined}>{closing}</p>
    </article>
  );
}

/** Lines, separated by spaces for readers without CSS. */
function Lines({ of }: { of: string[] }) {
  return of.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order
    <Fragment key={at}>
      <span className="block tabular-nums">{line}</span>{" "}
    </Fragment>
  ));
}

function Table({ about, rows }: Pick<SheetTexts, "about" | "rows">) {
  return (
    <table className="w-full border-collapse" aria-label={about}>
      <thead>
        <tr className="border-b border-ink text-left">
          <th scope="col" className="py-1.5">
            {COLUMNS.what}
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right">
            {COLUMNS.sum}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, sum }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change their order
          <tr key={at} className="border-b border-hairline align-top">
            <td className="py-1.5">{what}</td>
            <td className="py-1.5 pl-4 text-right">
              <Sum {...sum} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A sum in naira, with the dollars, if any, small below. */
function Sum({ naira, dollars }: SumText) {
  return (
    <>
      <span className="block whitespace-nowrap tabular-nums">{naira}</span>{" "}
      {dollars && <span className="block text-xs whitespace-nowrap text-muted tabular-nums">{dollars}</span>}
    </>
  );
}

function Sums({ texts: { vat, total } }: { texts: SheetTexts }) {
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
      {vat.map(({ title, sum }) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          <dd className="m-0 text-right tabular-nums">{sum}</dd>
        </Fragment>
      ))}
      <dt className="font-bold">{total.title}</dt>
      <dd className="m-0 text-right font-bold">
        <Sum {...total.sum} />
      </dd>
    </dl>
  );
}
