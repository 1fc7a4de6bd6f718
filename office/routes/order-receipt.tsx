import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { CreditSheet, ReceiptSheet } from "#app/orders/receipts/sheet.tsx";
import { referenceOf } from "#app/owner/orders/lookup.server.ts";
import { Button, PlainLink } from "../frame/button.tsx";
import { PrintIcon } from "../frame/icons.tsx";
import { Page } from "../frame/page.tsx";
import { requirePermission } from "../http/staff.server.ts";

export async function loader({ params, context }: LoaderFunctionArgs) {
  requirePermission(context, "details");
  const order = readOrderNumber(params.number ?? "");
  const reference = order && (await referenceOf(db(), order));
  const receipt = reference ? await readReceipt(db(), reference) : undefined;
  if (!receipt) throw data(null, 404);
  return { receipt };
}

/** An order's receipt and its credit notes, each on a page to print. */
export default function OrderReceipt() {
  const { receipt } = useLoaderData<typeof loader>();
  const { number, order, credits } = receipt;
  return (
    <Page
      title={`Receipt ${number}`}
      back={{ to: `/orders/${order}`, title: order }}
      about={order}
      actions={
        <>
          <PlainLink href={`/orders/${order}/receipt.pdf`} download>
            Download PDF
          </PlainLink>{" "}
          <PlainLink href={`/orders/${order}/receipt.xml`} download>
            For bookkeeping programs (XML)
          </PlainLink>{" "}
          <Button type="button" onPress={() => print()}>
            <PrintIcon className="size-5" />
            Print
          </Button>
        </>
      }
    >
      <style href="receipt" precedence="default">
        {"@page { margin: 14mm }"}
      </style>
      <div className="mt-5 max-w-160 border border-hairline bg-white p-5 print:mt-0 print:border-0 print:p-0">
        <ReceiptSheet receipt={receipt} />
      </div>
      {credits.map((credit) => (
        <div
          key={credit.number}
          className="mt-5 max-w-160 break-before-page border border-hairline bg-white p-5 print:mt-0 print:border-0 print:p-0"
        >
          <CreditSheet receipt={receipt} credit={credit} />
          <p className="mt-4 print:hidden">
            <PlainLink href={`/orders/${order}/receipt.pdf?credit=${credit.number}`} download>
              Download PDF
            </PlainLink>{" "}
            <PlainLink href={`/orders/${order}/receipt.xml?credit=${credit.number}`} download>
              For bookkeeping programs (XML)
            </PlainLink>
          </p>
        </div>
      ))}
    </Page>
  );
}
