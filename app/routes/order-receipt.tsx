import { data, Form } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { db } from "#app/infra/database/db.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { getOrder } from "#app/orders/history.server.ts";
import { hasReceipt, readReceipt } from "#app/orders/receipts/receipt.server.ts";
import type { Receipt } from "#app/orders/receipts/receipt.ts";
import { CreditSheet, ReceiptSheet } from "#app/orders/receipts/sheet.tsx";
import { noteNotOwn } from "#app/payments/status.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/order-receipt";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Your receipt", hidden: true });

/**
 * The receipt of a sold order, or one of its credit notes (`credit`: its number). Only the order's owner gets it. 404
 * for a sale that gets no receipt.
 */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return null;
  const order = await getOrder(db(), user.id, params.reference);
  if (!order) await noteNotOwn(db(), user.id, params.reference);
  if (!order?.saleId) throw data(null, { status: 404 });
  const { number, reference, saleId } = order;
  const receipt = await readReceipt(db(), reference);
  const asked = new URL(request.url).searchParams.get("credit");
  const credit = receipt?.credits.find((one) => one.number === asked)?.number;
  const isThere = receipt ? asked === null || credit !== undefined : await hasReceipt(db(), saleId);
  if (!isThere) throw data(null, { status: 404 });
  return { uid: user.id, number, reference, receipt: receipt ?? null, credit };
}

export default function OrderReceipt({ loaderData }: Route.ComponentProps) {
  useOwner(loaderData?.uid);
  if (!loaderData) {
    return (
      <Notice title="Your receipt">
        <p className="text-lg">Please log in to see your receipt.</p>
        <ButtonLink to="/login?next=/account">Login</ButtonLink>
      </Notice>
    );
  }
  const { number, reference, receipt, credit: asked } = loaderData;
  const credit = receipt?.credits.find((one) => one.number === asked);
  const place = `/order/${reference}`;
  const which = credit ? `?credit=${credit.number}` : "";
  return (
    <main className="page grid max-w-[48rem] gap-8 py-7 lg:py-12 print:px-0 print:py-0">
      <Link
        to={credit ? `${place}/receipt` : place}
        className="inline-flex min-h-11 items-center gap-1 justify-self-start text-sm text-muted underline underline-offset-4 print:hidden"
      >
        <ChevronIcon className="size-5 rotate-90" />{" "}
        <span>{credit && receipt ? `Receipt ${receipt.number}` : `Order ${number}`}</span>
      </Link>
      {!receipt && <Waiting />}
      {receipt && credit && <CreditSheet receipt={receipt} credit={credit} heading="h1" />}
      {receipt && !credit && <ReceiptSheet receipt={receipt} heading="h1" />}
      {receipt && (
        <div className="flex flex-wrap gap-3 print:hidden">
          <ButtonLink to={`${place}/receipt.pdf${which}`} look="outline" reloadDocument>
            Download PDF
          </ButtonLink>{" "}
          <Button type="button" look="outline" onClick={() => print()} className="[@media(scripting:none)]:hidden">
            Print
          </Button>{" "}
          <Link
            to={`${place}/receipt.xml${which}`}
            reloadDocument
            className="flex min-h-11 items-center text-sm underline underline-offset-4"
          >
            For bookkeeping programs (XML)
          </Link>
        </div>
      )}
      {receipt && !credit && <CreditNotes receipt={receipt} to={`${place}/receipt`} />}
      <Help about={`my order ${number}`} />
    </main>
  );
}

/** The receipt of a sale that is a moment old. */
function Waiting() {
  return (
    <div className="grid gap-4">
      <h1 className="headline text-3xl sm:text-5xl">Your receipt is almost ready</h1>
      <p>It usually takes a few seconds.</p>
      <Form method="get">
        <Button>Check again</Button>
      </Form>
    </div>
  );
}

function CreditNotes({ receipt: { credits }, to }: { receipt: Receipt; to: string }) {
  if (credits.length === 0) return null;
  return (
    <section aria-labelledby="credits" className="grid gap-2 print:hidden">
      <h2 id="credits" className="headline text-lg">
        Credit notes
      </h2>
      <ul className="grid gap-1">
        {credits.map((credit) => (
          <li key={credit.number}>
            <Link
              to={`${to}?credit=${credit.number}`}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
            >
              {credit.number}
            </Link>
            <span>{`, ${credit.day}, ${formatKobo(kobo(credit.kobo))} refunded`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
