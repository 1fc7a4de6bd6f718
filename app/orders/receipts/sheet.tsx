import { Fragment, type ReactNode } from "react";
import { pieceText } from "#app/catalog/sizes.ts";
import { dollarsOfKobo, FALLBACK_RATE, parseRate, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatRate, formatSignedKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { type CreditNote, type Receipt, vatText } from "./receipt.ts";

type Props = { receipt: Receipt; heading?: "h1" | "h2" };

const rateOf = ({ rate }: Receipt): Rate => parseRate(rate) ?? FALLBACK_RATE;

/** A receipt as it is printed, on a page of A4 or on a narrow slip. */
export function ReceiptSheet({ receipt, heading = "h2" }: Props) {
  const { contents, vatKobo, totalCents, day, time, paidBy, reference } = receipt;
  const { lines, deliveryCents, deliveryKobo, roundedKobo = 0 } = contents;
  return (
    <Sheet receipt={receipt} heading={heading} title="Receipt" number={receipt.number} day={day}>
      <Head receipt={receipt}>
        <Fact title="Paid">
          <Lines of={[`${day}, ${time}`, paidBy, reference]} />
        </Fact>
      </Head>
      <Table about="What you bought">
        {lines.map((line, at) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order
            key={at}
            what={`${line.quantity} × ${pieceText(line)}`}
            sum={line.kobo}
            cents={line.cents * line.quantity}
          />
        ))}
        <Row what="Delivery" sum={deliveryKobo} cents={deliveryCents} />
        {roundedKobo > 0 && <Row what="Cash rounded down" sum={-roundedKobo} />}
      </Table>
      <Sums receipt={receipt} title="Total" sum={receipt.kobo} vat={vatKobo} cents={totalCents} />
      <p className="text-muted">{`At $1 = ${formatRate(rateOf(receipt))}`}</p>
    </Sheet>
  );
}

/** A credit note in the same way. */
export function CreditSheet({ receipt, credit, heading = "h2" }: Props & { credit: CreditNote }) {
  const cents = dollarsOfKobo(credit.kobo, rateOf(receipt));
  const at = receipt.credits.findIndex(({ number }) => number === credit.number);
  const back = receipt.credits.slice(0, at + 1);
  const left = receipt.kobo - back.reduce((sum, one) => sum + one.kobo, 0);
  return (
    <Sheet receipt={receipt} heading={heading} title="Credit note" number={credit.number} day={credit.day}>
      <Head receipt={receipt}>
        <Fact title="Receipt">
          <Lines of={[receipt.number, receipt.day]} />
        </Fact>
      </Head>
      <Table about="What it’s for">
        <Row what={credit.parts.join("; ") || sumText(receipt, credit)} sum={credit.kobo} cents={cents} />
      </Table>
      <Sums receipt={receipt} title="Refunded" sum={credit.kobo} vat={credit.vatKobo} cents={cents} />
      <p>{`Receipt total ${formatKobo(kobo(receipt.kobo))}. Left after this refund: ${formatKobo(kobo(left))}.`}</p>
    </Sheet>
  );
}

/** What a refund of a plain sum is for. */
const sumText = (receipt: Receipt, credit: CreditNote) =>
  credit.kobo === receipt.kobo ? "The whole amount" : "Part of the amount";

type SheetProps = Required<Props> & { title: string; number: string; day: string; children: ReactNode };

function Sheet({ receipt, heading: Heading, title, number, day, children }: SheetProps) {
  const { name, address, tin } = receipt.seller;
  return (
    <article className="grid gap-6 break-inside-avoid wrap-anywhere">
      <p>
        <strong className="block">{name}</strong>{" "}
        <Lines of={[...address.split("\n"), ...(tin ? [`TIN ${tin}`] : [])]} />
      </p>
      <div>
        <Heading className="headline text-3xl font-bold print:text-2xl">{title}</Heading>
        <p>
          <strong className="tabular-nums">{number}</strong> <span>{day}</span>
        </p>
        {receipt.isTest && <p>Test mode: nothing was charged, and this isn’t a real receipt.</p>}
      </div>
      {children}
    </article>
  );
}

function Head({ receipt: { buyer, order }, children }: { receipt: Receipt; children: ReactNode }) {
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
      {buyer && (
        <Fact title="Sold to">
          <Lines of={buyer} />
        </Fact>
      )}
      <Fact title="Order">
        <span className="tabular-nums">{order}</span>
      </Fact>
      {children}
    </dl>
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

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{title}</dt>
      <dd className="m-0">{children}</dd>
    </div>
  );
}

function Table({ about, children }: { about: string; children: ReactNode }) {
  return (
    <table className="w-full border-collapse" aria-label={about}>
      <thead>
        <tr className="border-b border-ink text-left">
          <th scope="col" className="py-1.5">
            Item
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function Row({ what, sum, cents }: { what: string; sum: number; cents?: number }) {
  return (
    <tr className="border-b border-hairline align-top">
      <td className="py-1.5">{what}</td>
      <td className="py-1.5 pl-4 text-right">
        <Sum sum={sum} cents={cents} />
      </td>
    </tr>
  );
}

/** A sum in naira, with the dollars, if any, small below. */
function Sum({ sum, cents }: { sum: number; cents?: number }) {
  return (
    <>
      <span className="block whitespace-nowrap tabular-nums">{formatSignedKobo(sum)}</span>{" "}
      {cents !== undefined && (
        <span className="block text-xs whitespace-nowrap text-muted tabular-nums">{formatUsd(usdCents(cents))}</span>
      )}
    </>
  );
}

type SumsProps = { receipt: Receipt; title: string; sum: number; vat: number; cents: number };

/** The sum, and the VAT in it where the receipt says it. */
function Sums({ receipt, title, sum, vat, cents }: SumsProps) {
  const { vatTenths, seller, contents } = receipt;
  const name = vatTenths !== null && `VAT ${vatText(vatTenths)}${contents.isAbroad ? ", sent abroad" : ""}`;
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
      {seller.showsVat && name && (
        <>
          <dt>Excluding VAT</dt>
          <dd className="m-0 text-right tabular-nums">{formatKobo(kobo(sum - vat))}</dd>
          <dt>{name}</dt>
          <dd className="m-0 text-right tabular-nums">{formatKobo(kobo(vat))}</dd>
        </>
      )}
      <dt className="font-bold">{title}</dt>
      <dd className="m-0 text-right font-bold">
        <Sum sum={sum} cents={cents} />
      </dd>
    </dl>
  );
}
