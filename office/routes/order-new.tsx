import { randomUUID } from "node:crypto";
import { Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { useBrand } from "#app/brand/context.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { staffShareText } from "#app/orders/reservation.server.ts";
import type { Units } from "#app/orders/units.ts";
import { chatWith } from "#app/owner/orders/chat.ts";
import { findForWhom } from "#app/owner/orders/links/new.server.ts";
import { addressLines } from "#app/shipping/address.ts";
import { orderDeliveryName } from "#app/shipping/place/place.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { keepWhatIsTyped, unlessOffline } from "../frame/fresh.browser.tsx";
import { OtherFilters } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Hint, Page, Section } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { soughtText } from "../http/sought-text.ts";
import { requirePermission } from "../http/staff.server.ts";
import { LinkNotice } from "../orders/link-notice.tsx";
import { MoneyRows } from "../orders/money.tsx";
import { AddressFields } from "../orders/new/address-fields.tsx";
import { basketOf, FOR } from "../orders/new/basket.ts";
import { NEW_ORDER_CHANGES } from "../orders/new/changes.server.ts";
import { findProducts, problemOf, readItems } from "../orders/new/draft.server.ts";
import { HOLDS } from "../orders/new/holds.ts";
import { ItemInputs, OrderItems } from "../orders/new/pieces.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "service");
  const params = new URL(request.url).searchParams;
  const email = soughtText(params, FOR);
  const text = soughtText(params, "q");
  const [draft, products] = await Promise.all([
    email ? readDraft(email, basketOf(params), may(role, "prices") ? params : undefined) : undefined,
    findProducts(text),
  ]);
  return { email, draft, products, key: randomUUID(), maySell: may(role, "till") };
}

/** The customer, the address and the items, or the problem with the customer. `typed` has the agreed prices. */
async function readDraft(email: string, units: Units[], typed?: URLSearchParams) {
  try {
    const whom = await findForWhom(db(), email);
    const form = "form" in whom ? whom.form : undefined;
    return {
      ...(await readItems(whom, units, typed)),
      email: whom.buyer.email,
      goesTo: form && { address: addressLines(form), delivery: orderDeliveryName(form) },
      places: form ? undefined : await readPlaces(),
      chat: form && { firstName: form.firstName, phoneNumber: form.phoneNumber, country: form.country },
      share: await staffShareText(db()),
    };
  } catch (error) {
    return problemOf(error);
  }
}

/** The places in Nigeria that the shop delivers to, for a customer whose address it does not know. */
async function readPlaces() {
  const { states, pickups } = await loadShippingRates(db());
  return { states: states.map(({ name }) => name), centers: pickups.map(({ name }) => name) };
}

export const action = changes(NEW_ORDER_CHANGES);
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

/** An order that staff put together for a customer, who pays it by a link. */
export default function NewOrder() {
  const { email, draft, products, key, maySell } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  const refused = done && !done.ok ? done : undefined;
  const problems = refused && "problems" in refused ? refused.problems : {};
  const problem =
    refused && "problem" in refused
      ? refused.problem
      : (problems.pieces ?? problems["pieces.0"] ?? problems["prices.0"]);
  const whom = draft && "email" in draft ? draft : undefined;
  const order = whom?.order;
  return (
    <Page
      title="New order"
      back={{ to: "/orders", title: "Orders" }}
      about={whom && `for ${whom.email}`}
      actions={
        maySell && (
          <ButtonLink look="line" to="/orders/stall">
            Sell at a stall
          </ButtonLink>
        )
      }
    >
      {done?.ok && done.link && <Sent what={done.what} link={done.link} chat={whom?.chat} />}
      {problem && <Notice kind="error">{problem}</Notice>}
      {!done?.ok && (
        <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_25rem] lg:gap-x-12">
          <div className="min-w-0">
            <Section title="For whom">
              <Form className="grid max-w-120 gap-3">
                <OtherFilters than={[FOR]} />
                <Field label="The customer’s email" problem={draft && "problem" in draft ? draft.problem : undefined}>
                  <input
                    name={FOR}
                    type="email"
                    defaultValue={email}
                    autoComplete="off"
                    maxLength={254}
                    className="input"
                  />
                </Field>
                <Button look="line" className="justify-self-start">
                  {whom ? "Somebody else" : "Continue"}
                </Button>
              </Form>
              {whom?.goesTo && (
                <p className="mt-3 wrap-anywhere">
                  <strong className="font-semibold">Goes to:</strong> {whom.goesTo.address.join(", ")}
                </p>
              )}
            </Section>
            {whom && (
              <Section title="Items">
                <OrderItems {...whom} products={products} />
              </Section>
            )}
          </div>
          {whom && order && (
            <Section title="To pay">
              <MoneyRows
                rows={[
                  { label: "Items", ...order.items },
                  ...(whom.goesTo ? [{ label: whom.goesTo.delivery, ...order.shipping }] : []),
                  { label: whom.goesTo ? "Total" : "Before delivery", ...order.total, isTotal: true, isStrong: true },
                ]}
              />
              <Form method="post" className="mt-5 grid gap-4">
                <input type="hidden" name="key" value={key} />
                <input type="hidden" name="email" value={whom.email} />
                <ItemInputs {...whom} reason={refused?.values?.reason} problem={problems.reason} />
                {whom.places && <AddressFields {...whom.places} values={refused?.values} problems={problems} />}
                <Field label="Hold the items for">
                  <select name="hold" defaultValue={refused?.values?.hold ?? "day"} className="input">
                    {Object.entries(HOLDS).map(([hold, words]) => (
                      <option key={hold} value={hold}>
                        {words}
                      </option>
                    ))}
                  </select>
                </Field>
                <Hint>
                  Prices, delivery and the exchange rate stay as they are now for as long.{" "}
                  {`Orders like this hold at most ${whom.share} of each size, all together.`}
                </Hint>
                <Button name="intent" value="send" isPending={isPending} className="justify-self-start">
                  Make the link
                </Button>
              </Form>
            </Section>
          )}
        </div>
      )}
    </Page>
  );
}

type SentProps = { what: string; link: string; chat?: { firstName: string; phoneNumber: string; country: string } };

/** The link to pay, and ways to send it. It is shown only now. */
function Sent({ what, link, chat }: SentProps) {
  const { name } = useBrand();
  const hello = chat?.firstName ? `Hello ${chat.firstName}` : "Hello";
  const href = chat && chatWith(chat, `${hello}, this is ${name}. Your order is ready to pay here: ${link}`);
  return (
    <>
      <LinkNotice what={what} link={link} chat={href} />
      <p className="mt-3 max-w-120 text-muted">
        Send this link to the customer now: we don’t show it again. Anyone who has it sees the items and the sum; only
        the customer, logged in, sees the address and pays.
      </p>
      <ButtonLink look="line" to="/orders/new" className="mt-3">
        Another order
      </ButtonLink>
    </>
  );
}
