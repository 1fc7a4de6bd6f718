import { randomUUID } from "node:crypto";
import { Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { cashRounding } from "#app/by-hand/book.server.ts";
import { sumToTake } from "#app/by-hand/rounding.ts";
import { db } from "#app/infra/database/db.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { lastStall } from "#app/owner/orders/stall/last.server.ts";
import { LONGEST_STALL, readAtStall } from "#app/owner/orders/stall/sell.server.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { TextField } from "../frame/field.tsx";
import { alsoAfterRefusal, keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Hint, Page, Section } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { soughtText } from "../http/sought-text.ts";
import { requirePermission } from "../http/staff.server.ts";
import { BankReferenceField, MeansField } from "../orders/by-hand-panels.tsx";
import { MoneyRows } from "../orders/money.tsx";
import { basketOf } from "../orders/new/basket.ts";
import { findProducts, readItems } from "../orders/new/draft.server.ts";
import { ItemInputs, OrderItems } from "../orders/new/pieces.tsx";
import { STALL_CHANGES } from "../orders/stall/changes.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "till");
  const params = new URL(request.url).searchParams;
  const [whom, products, stall, rounding] = await Promise.all([
    readAtStall(db()),
    findProducts(soughtText(params, "q")),
    lastStall(db()),
    cashRounding(db()),
  ]);
  const items = await readItems(whom, basketOf(params), may(role, "prices") ? params : undefined);
  const sum = items.order?.kobo ?? 0;
  const cash = sumToTake(sum, "cash", rounding);
  const cashText = cash < sum ? formatKobo(kobo(cash)) : undefined;
  return { items, cashText, products, stall, longest: LONGEST_STALL, key: randomUUID() };
}

export const action = changes(STALL_CHANGES);
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

/** A sale at a stall: items that are paid by hand and handed over at once. */
export default function Stall() {
  const { items, products } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const refused = done && !done.ok ? done : undefined;
  const problems = refused && "problems" in refused ? refused.problems : {};
  const problem = refused && "problem" in refused ? refused.problem : (problems.pieces ?? problems.kobo);
  return (
    <Page title="Sell at a stall" back={{ to: "/orders", title: "Orders" }}>
      {done?.ok && done.link && <Sold what={done.what} link={done.link} />}
      {problem && <Notice kind="error">{problem}</Notice>}
      {!done?.ok && (
        <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_25rem] lg:gap-x-12">
          <div className="min-w-0">
            <Section title="Items">
              <OrderItems {...items} products={products} />
            </Section>
          </div>
          {items.order && <ToTake problems={problems} values={refused?.values} />}
        </div>
      )}
    </Page>
  );
}

type Texts = Partial<Record<string, string>>;

/** The sum, and the form that records that it was taken. */
function ToTake({ problems, values = {} }: { problems: Texts; values?: Texts }) {
  const { items, cashText, stall, longest, key } = useLoaderData<typeof loader>();
  const isPending = useNavigation().formData !== undefined;
  const { order } = items;
  if (!order) return null;
  const text = (name: string, label: string, note = "optional") => (
    <TextField
      label={label}
      note={note}
      name={name}
      defaultValue={values[name]}
      maxLength={254}
      problem={problems[name]}
    />
  );
  return (
    <Section title="To pay">
      <MoneyRows rows={[{ label: "Total", ...order.total, isTotal: true, isStrong: true }]} />
      {cashText && <p className="mt-2">{`In cash, take ${cashText}.`}</p>}
      <Form method="post" className="mt-5 grid gap-4">
        <input type="hidden" name="key" value={key} />
        <input type="hidden" name="kobo" value={order.kobo} />
        <ItemInputs {...items} reason={values.reason} problem={problems.reason} />
        <MeansField problem={problems.means} value={values.means} />
        <BankReferenceField note="for a transfer" problem={problems.bankReference} value={values.bankReference} />
        <TextField
          label="Stall"
          note="the shopper reads it"
          name="stall"
          defaultValue={values.stall ?? stall}
          required
          maxLength={longest}
          problem={problems.stall}
        />
        {text("name", "Customer’s name")}
        {text("email", "Email", "optional, for the receipt")}
        {text("phone", "Phone")}
        <Hint>
          Press it once you have the money and they have the items. The order is then sold and delivered, under your
          name.
        </Hint>
        <Button name="intent" value="sell" isPending={isPending} className="justify-self-start">
          Mark as sold
        </Button>
      </Form>
    </Section>
  );
}

function Sold({ what, link }: { what: string; link: string }) {
  return (
    <>
      <Notice kind="done">{what}</Notice>
      <div className="mt-3 flex flex-wrap gap-3">
        <ButtonLink to="/orders/stall">Next sale</ButtonLink>{" "}
        <ButtonLink look="line" to={link}>
          See the order
        </ButtonLink>
      </div>
    </>
  );
}
