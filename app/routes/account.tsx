import { useEffect } from "react";
import { Form } from "react-router";
import { currentUser, summaryOf } from "#app/account/session.server.ts";
import { rememberUser } from "#app/account/session-summary.ts";
import { AFTER_SIGN_OUT, useSignOut } from "#app/account/sign-out.tsx";
import { OrderHistory } from "#app/checkout/order-history.tsx";
import { listOrders } from "#app/checkout/orders.server.ts";
import { db } from "#app/infra/db.server.ts";
import { messages } from "#app/messages.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import type { Route } from "./+types/account";

export const meta: Route.MetaFunction = () => pageMeta({ title: "My Account | Irepo", hidden: true });

export async function loader({ request }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return { user: null, orders: [] };
  return { user: summaryOf(user), orders: await listOrders(db(), user.id) };
}

export default function Account({ loaderData: { user, orders } }: Route.ComponentProps) {
  const signOut = useSignOut(AFTER_SIGN_OUT);
  useEffect(() => rememberUser(user), [user]);
  if (!user) {
    return (
      <Notice title={messages.account.signedOut}>
        <ButtonLink to="/login?next=/account">Login</ButtonLink>
      </Notice>
    );
  }
  return (
    <main className="page grid max-w-4xl gap-10 py-10">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="headline text-3xl sm:text-5xl">My Account</h1>
          <p className="mt-2 text-lg">Welcome, {user.firstName}!</p>
        </div>
        <Form method="post" action="/logout" onSubmit={signOut}>
          <Button look="outline">Logout</Button>
        </Form>
      </div>
      <section aria-labelledby="details" className="bg-linen p-6">
        <h2 id="details" className="label mb-4">
          Account details
        </h2>
        <dl className="grid gap-4 sm:grid-cols-3">
          <Detail name="First name" value={user.firstName} />
          <Detail name="Last name" value={user.lastName} />
          <Detail name="Email" value={user.email} />
        </dl>
        {user.emailVerified && (
          <p className="mt-4 inline-flex items-center gap-2 font-semibold text-palm">
            <CheckIcon className="size-5" /> Verified
          </p>
        )}
      </section>
      <OrderHistory orders={orders} />
    </main>
  );
}

function Detail({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold break-words">{value}</dd>
    </div>
  );
}
