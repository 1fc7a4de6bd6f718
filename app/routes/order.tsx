import { data, Form } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { db } from "#app/infra/database/db.server.ts";
import { messages } from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { getOrder } from "#app/orders/history.server.ts";
import { OrderDetails, OrderStatus, PartRefunded, SentOff } from "#app/orders/view.tsx";
import { paymentStatus } from "#app/payments/status.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { longDate } from "#app/ui/long-date.ts";
import type { Route } from "./+types/order";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Your order | Irepo", hidden: true });

/** "Was I charged?": asks the provider while the answer is open. Only its owner sees an order. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return { order: null, outcome: "signed-out" as const };
  const settled = await paymentStatus(db("checkout"), user.id, params.reference);
  const order = await getOrder(db(), user.id, params.reference);
  if (!order || !settled) throw data(null, { status: 404 });
  return { order, outcome: settled.outcome, uid: user.id };
}

const ANSWERS: Record<string, { title: string; text(sum: string): string }> = {
  sold: { title: "Thank you", text: (sum) => `${messages.payment.done} Your payment of ${sum} has arrived.` },
  pending: {
    title: "Waiting for your payment",
    text: () => "The payment has not arrived yet. We keep asking by ourselves: please do not pay again.",
  },
  unpaid: { title: "Not paid", text: () => "Nothing was charged for this order. Your cart is kept." },
  refunding: {
    title: "Your money goes back",
    text: (sum) =>
      `We could not keep this order, so ${sum} is on its way back to you. A mail tells you when it has arrived.`,
  },
  unavailable: {
    title: "Still asking",
    text: () =>
      "The payment provider cannot be reached right now. If you have paid, nothing is lost: we keep asking. Please do not pay again.",
  },
};

export default function OrderPage({ loaderData: { order, outcome, uid } }: Route.ComponentProps) {
  useOwner(uid);
  if (!order) {
    return (
      <Notice title="Your order">
        <p className="text-lg">Please log in to see your order.</p>
        <ButtonLink to="/login?next=/account">Login</ButtonLink>
      </Notice>
    );
  }
  const answer = ANSWERS[outcome] ?? ANSWERS.unavailable;
  const open = outcome === "pending" || outcome === "unavailable";
  return (
    <main className="page grid max-w-2xl gap-8 py-10 print:py-0">
      <p className="display hidden text-2xl print:block">IREPO</p>
      <div>
        <h1 className="headline text-3xl sm:text-5xl">{answer?.title}</h1>
        <p role="status" className="mt-3 text-lg">
          {answer?.text(formatKobo(kobo(order.kobo)))}
        </p>
        <p className="mt-3 text-sm text-muted">
          Reference <span className="break-all">{order.reference}</span>,{" "}
          <span className="whitespace-nowrap">{longDate(order.orderedAt)}</span>
        </p>
        {outcome !== "unpaid" && (
          <p className="mt-3">
            <OrderStatus status={order.status} />
            <PartRefunded order={order} />
            <SentOff order={order} />
          </p>
        )}
      </div>
      {open && (
        <Form method="get" className="print:hidden">
          <Button look="outline">Ask again</Button>
        </Form>
      )}
      {outcome === "unpaid" && (
        <ButtonLink to="/checkout" className="justify-self-start print:hidden">
          Back to checkout
        </ButtonLink>
      )}
      <OrderDetails order={order} />
      <div className="flex flex-wrap gap-3 print:hidden">
        <ButtonLink to="/shop" look={outcome === "unpaid" ? "outline" : "solid"}>
          Continue Shopping
        </ButtonLink>
        {outcome !== "unpaid" && (
          <Button type="button" look="outline" onClick={() => print()} className="[@media(scripting:none)]:hidden">
            Print
          </Button>
        )}
      </div>
      <Help about={`my order ${order.reference}`} />
    </main>
  );
}
