import { useCallback, useEffect, useMemo, useState } from "react";
import { data, Form, redirect, useSearchParams } from "react-router";
import type { z } from "zod";
import { AccountDetails } from "#app/account/details.tsx";
import { greeting } from "#app/account/display-name.ts";
import { accountChange } from "#app/account/fields.ts";
import { checkedHash, hasPassword } from "#app/account/password/store.server.ts";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { AFTER_SIGN_OUT, useSignOut } from "#app/account/session/sign-out.tsx";
import {
  currentUser,
  endSessions,
  endStreams,
  listSessions,
  type SignedIn,
  signOut,
  summaryOf,
} from "#app/account/session/store.server.ts";
import { rememberUser, useOwner } from "#app/account/session/summary.browser.ts";
import { changeName, changePassword } from "#app/account/settings/change.server.ts";
import { AccountSettings } from "#app/account/settings/sections.tsx";
import { type SettingAnswer, settingIn } from "#app/account/settings/setting.ts";
import { deleteCustomer, type NotDeleted } from "#app/customer-data/delete-customer.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import * as messages from "#app/messages.ts";
import { isSubscribed, subscribe, unsubscribe } from "#app/newsletter/newsletter.server.ts";
import { pageOfOrders } from "#app/orders/history.server.ts";
import { OrderHistory } from "#app/orders/history.tsx";
import { addressText } from "#app/shipping/address.ts";
import { deleteAddress, makeDefault, noSuchAddress, savedAddresses } from "#app/shipping/address-book/book.server.ts";
import { MOST_ADDRESSES } from "#app/shipping/address-book/book.ts";
import { AddressLines } from "#app/shipping/address-lines.tsx";
import { answerOr } from "#app/ui/answer-or.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/account";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "My Account", hidden: true });

export async function loader({ request }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return null;
  const page = pageIn(new URL(request.url).searchParams);
  const [{ orders, hasOlder }, sessions, password, subscribed, saved] = await Promise.all([
    pageOfOrders(db(), user.id, page),
    listSessions(request, user.id),
    hasPassword(db(), user.id),
    isSubscribed(db(), user.email),
    savedAddresses(db(), user.id),
  ]);
  return {
    user: summaryOf(user),
    orders,
    page,
    hasOlder,
    sessions,
    hasPassword: password,
    isSubscribed: subscribed,
    saved,
    isFull: saved.length >= MOST_ADDRESSES,
  };
}

const LAST_PAGE = 10_000;

function pageIn(query: URLSearchParams): number {
  const page = Number(query.get("page"));
  return Number.isInteger(page) && page > 0 ? Math.min(page, LAST_PAGE) : 1;
}

type Change = z.infer<typeof accountChange>;
type Changed = { done: string } | { errors: Record<string, string> };

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const setting = settingIn((await request.clone().formData()).get("setting"));
  const errors = { form: messages.form.unavailable };
  const answer = await answerOr<SettingAnswer>(serverAction, { setting, errors });
  return answer.done ? answer : data(answer, { status: 400 });
}

/**
 * Changes a setting. On success: status 303, or data for a script. On failure: status 400 with the errors by field; 404
 * for making an address that is not this shopper's the default. Safe to repeat.
 */
export async function action({ request }: Route.ActionArgs) {
  const user = await currentUser(request);
  if (!user) throw redirect("/login?next=/account", 303);
  const fields = await readForm(request);
  const parsed = accountChange.safeParse(fields);
  const setting = settingIn(fields.setting);
  const refuse = (errors: Record<string, string>, status = 400) => data<SettingAnswer>({ setting, errors }, { status });
  if (!parsed.success)
    return refuse(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])));
  if (!(await guard(db(), request, "settings", user.id)).ok) return refuse({ form: messages.form.tooOften }, 429);
  if (parsed.data.setting === "delete") return remove(request, user, parsed.data, refuse);
  const changed = await change(request, user, parsed.data);
  if ("errors" in changed) return refuse(changed.errors);
  if (isPlainForm(request)) throw redirect(`/account?saved=${setting}#settings`, 303);
  return data<SettingAnswer>({ setting, done: changed.done, errors: {} });
}

async function change(
  request: Request,
  user: SignedIn,
  wanted: Exclude<Change, { setting: "delete" }>,
): Promise<Changed> {
  switch (wanted.setting) {
    case "name":
      await changeName(db(), user.id, { firstName: wanted.firstName, lastName: wanted.lastName });
      break;
    case "default-address":
      if (!(await makeDefault(db(), user.id, wanted.id))) throw noSuchAddress(user.id);
      break;
    case "delete-address":
      // The second press of a double click finds no address, and is told what the first has done.
      if (!(await deleteAddress(db(), user.id, wanted.id))) noteSecurity("unknown-address", { account: user.id });
      break;
    case "password":
      if (!(await changePassword(db(), request, user, { current: wanted.current, next: wanted.password }))) {
        noteSecurity("password-not-changed", { account: user.email });
        return { errors: { current: messages.settings.wrongPassword } };
      }
      noteSecurity("password-changed", { account: user.email });
      break;
    case "sessions":
      await endSessions(db(), user.id, wanted.id ? { id: wanted.id } : { notOf: request });
      await endStreams(db(), user.id);
      break;
    case "newsletter":
      await (wanted.newsletter ? subscribe(db(), user.firstName, user.email) : unsubscribe(db(), user.email));
  }
  return { done: messages.settings.saved[wanted.setting] };
}

async function remove<Refusal>(
  request: Request,
  user: SignedIn,
  { current = "", email = "" }: { current?: string; email?: string },
  refuse: (errors: Record<string, string>) => Refusal,
) {
  const unproved = (errors: Record<string, string>) => {
    noteSecurity("account-not-deleted", { account: user.email });
    return refuse(errors);
  };
  const wrongPassword = () => unproved({ current: messages.settings.wrongPassword });
  let checked: string | undefined;
  if (await hasPassword(db(), user.id)) {
    checked = await checkedHash(db(), user.id, current);
    if (!checked) return wrongPassword();
  } else if (normalizeEmail(email) !== user.email) return unproved({ email: messages.settings.wrongEmail });
  const deleted = await deleteCustomer(db(), user.id, { proof: { checked } });
  if (!deleted.ok)
    return deleted.why === "password-changed" ? wrongPassword() : refuse({ form: deletionProblem(deleted) });
  const headers = new Headers({ "Clear-Site-Data": '"storage"' });
  for (const cookie of await signOut(request)) headers.append("Set-Cookie", cookie);
  throw redirect("/", { status: 303, headers });
}

function deletionProblem(refused: NotDeleted): string {
  if (!("orders" in refused)) return messages.form.unavailable;
  return messages.deletion.refused[refused.why](refused.orders.join(", "));
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const [isOut, setOut] = useState(false);
  const signOut = useSignOut(
    AFTER_SIGN_OUT,
    useCallback(() => setOut(true), []),
  );
  const saved = useSearchParams()[0].get("saved");
  const savedBefore = useMemo(() => savedEarlier(saved), [saved]); // one answer takes the focus once
  const user = loaderData?.user ?? null;
  useEffect(() => rememberUser(user), [user]);
  useOwner(user?.uid);
  if (isOut) {
    return (
      <Notice title={messages.session.left}>
        <p role="status" className="text-lg">
          {messages.session.goesHome}
        </p>
      </Notice>
    );
  }
  if (!loaderData || !user) {
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
          <p className="mt-2 text-lg">{greeting(user.firstName)}</p>
        </div>
        <Form method="post" action="/logout" onSubmit={signOut}>
          <Button look="outline">Logout</Button>
        </Form>
      </div>
      <NotDone answer={actionData} />
      <AccountDetails user={user} />
      <OrderHistory {...loaderData} />
      <AccountSettings
        {...loaderData}
        addresses={loaderData.saved.map(({ id, isDefault, address }) => {
          const shipping = { ...address, pickupCenter: "" };
          return { id, isDefault, name: addressText(shipping), place: <AddressLines shipping={shipping} /> };
        })}
        answer={actionData ?? savedBefore}
      />
    </main>
  );
}

/**
 * The errors at the top of the page, for browsers without JavaScript: the page opens at its top, and the form is far
 * below.
 */
function NotDone({ answer }: { answer?: SettingAnswer }) {
  const text = Object.values(answer?.errors ?? {}).join(" ");
  return (
    text && (
      <noscript>
        <FormError>{text}</FormError>
      </noscript>
    )
  );
}

/** The answer about the setting that the URL names: one that was saved without script, or on a page of its own. */
function savedEarlier(saved: string | null): SettingAnswer | undefined {
  const setting = settingIn(saved);
  if (!setting || setting === "delete") return undefined;
  return { setting, done: messages.settings.saved[setting], errors: {} };
}
