import { Fragment, type ReactNode, useContext } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { useBrand } from "#app/brand/context.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { NUMBER_LIMITS, type Numbers, RANGES, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { STAFF_SHARE } from "#app/orders/reservation.server.ts";
import { storedSlides } from "#app/owner/shop/hero.server.ts";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import { NOTICE_MAX, SENDER_MAX, type ShopValueName } from "#app/owner/shop/settings.ts";
import { CARRIER_EXAMPLE } from "#app/shipping/carriers/carrier.ts";
import { ButtonLink, SeeIt } from "../frame/button.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Hint, Page, Section } from "../frame/page.tsx";
import { State, type Tone } from "../frame/state.tsx";
import { ShopZone } from "../frame/times.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { savedOutcome, shopFields, shownTexts, usualValues } from "../shop/fields.server.ts";
import { type FieldOf, useValuesForm, ValuesForm } from "../shop/values-form.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const values = await shopValues(db());
  return {
    stored: { values, texts: shownTexts(values) },
    usualLimit: usualValues().sizeLimit,
    usualShare: STAFF_SHARE,
    now: new Date().toJSON(),
    shop: env.publicUrl.href,
    titles: (await storedSlides(db())).map(({ title }) => title.replaceAll("\n", " ")),
  };
}

export const action = changes({
  save: change({
    needs: "shop",
    fields: shopFields,
    run: async ({ by, fields: { was, ...wanted } }) =>
      savedOutcome(await changeShop(db(), by, wanted, was), { ...was, ...wanted }, NAMES),
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

const NAMES = {
  email: "Email",
  whatsapp: "WhatsApp",
  instagramUrl: "Instagram",
  xUrl: "X",
  notice: "Notice",
  noticeFrom: "From",
  noticeUntil: "Until",
  sizeLimit: "Pieces of a size",
  staffShare: "Held by orders that you put together",
  sender: "Name and address",
  senderPhone: "Phone",
  carriers: "Where their parcels are",
  returnDays: "Days to return",
  damageHours: "Hours to report damage",
  refundDays: "Business days to refund",
  packFrom: "Business days to pack, at least",
  packTo: "To pack, at most",
  nigeriaFrom: "Then within Nigeria, at least",
  nigeriaTo: "Within Nigeria, at most",
  abroadFrom: "Then abroad, at least",
  abroadTo: "Abroad, at most",
  cardFor: "A card for",
  cashRounding: "Round cash down to ₦50",
  othersPay: "Let somebody else pay",
} satisfies Partial<Record<ShopValueName, string>>;
type Name = keyof typeof NAMES;

export default function Shop() {
  useFresh();
  const { stored, usualLimit, usualShare, shop, titles } = useLoaderData<typeof loader>();
  const { name, tagline } = useBrand();
  const { field, textOf, shell } = useValuesForm(stored, NAMES);
  return (
    <Page title="Shop" about="The shop shows your changes as soon as you save" actions={<SeeIt href={shop} />}>
      <ValuesForm {...shell}>
        <div className="grid lg:grid-cols-2 lg:gap-x-16">
          <div>
            <Section title="Notice" aside={<NoticeState />}>
              <NoticeFields field={field} text={textOf("notice")} />
            </Section>
            <Section title="Limit per size">
              <Group>
                {field(
                  "sizeLimit",
                  usualLimit ? `empty: ${usualLimit}` : "empty: no limit",
                  <input inputMode="numeric" className="input max-w-40 tabular-nums" />,
                  "Most in one order",
                )}
                <Hint>Carts with more get a message, and check out without the rest.</Hint>
                {field(
                  "staffShare",
                  `% of what’s in stock, at most; empty: ${usualShare}`,
                  <input inputMode="numeric" maxLength={3} className="input max-w-40 tabular-nums" />,
                )}
              </Group>
            </Section>
            <Section title="Cash">
              <Group hint="Transfers and cards pay the whole sum. A refund gives back what was taken.">
                {field("cashRounding", "when staff take it for an order", choice({ down: "Yes", none: "No" }))}
              </Group>
            </Section>
            <Section title="Paying for others">
              <Group hint="The link shows the items, the sum, the shopper’s first name and a line from them. It holds the items for a day. The order is the shopper’s; money goes back to the person who paid.">
                {field("othersPay", "by a link that a shopper makes at the checkout", choice({ no: "No", yes: "Yes" }))}
              </Group>
            </Section>
            <Section title="Days and hours">
              <Group hint="The policies, products, orders and emails change with them. Orders keep theirs; more time to return or report damage is for all.">
                {field("returnDays", `after delivery; ${limitsOf("returnDays")}`, number("returnDays"))}
                {field("damageHours", `after delivery; ${limitsOf("damageHours")}`, number("damageHours"))}
                {field("refundDays", limitsOf("refundDays"), number("refundDays"))}
                <div className="grid gap-4 sm:grid-cols-2">
                  {RANGES.flatMap(({ from, to }) => [from, to]).map((name) => (
                    <Fragment key={name}>{field(name, limitsOf(name), number(name))}</Fragment>
                  ))}
                </div>
              </Group>
            </Section>
            <Section title="Lists of products">
              <Group hint="Products with the same title in other colours are one model. Its card links to each of them. With many products, it can take a minute the first time.">
                {field(
                  "cardFor",
                  "in the shop, collections and the search",
                  choice({ color: "each colour", model: "each model" }),
                )}
              </Group>
            </Section>
          </div>
          <div>
            <Section title="Name">
              <p className="mb-3">{[name, tagline].join(" · ")}</p>
              <ButtonLink to="/shop/name" look="line">
                Change name
              </ButtonLink>
            </Section>
            <Section title="Home page">
              <p className="mb-3">{titles.join(" · ")}</p>
              <div className="flex flex-wrap gap-2">
                <ButtonLink to="/shop/hero" look="line">
                  Change slides
                </ButtonLink>{" "}
                <ButtonLink to="/shop/sections" look="line">
                  Change sections
                </ButtonLink>
              </div>
            </Section>
            <Section title="Old addresses">
              <p className="mb-3">Links to your former shop, and what visitors asked for and didn’t find.</p>
              <ButtonLink to="/shop/addresses" look="line">
                Old addresses
              </ButtonLink>
            </Section>
            <Section title="Contact">
              <Group>
                {field("email", "in the footer and emails, and beside questions", address("email"))}
                {field("whatsapp", "with + and the country; empty: none", address("tel"))}
                {field("instagramUrl", "empty: none", address("url"))}
                {field("xUrl", "empty: none", address("url"))}
              </Group>
            </Section>
            <Section title="Sender">
              <Group hint="On address labels and packing slips.">
                {field(
                  "sender",
                  `up to ${SENDER_MAX.lines} lines; empty: ${new URL(shop).host}`,
                  <textarea rows={SENDER_MAX.lines} className="input" />,
                )}
                {field(
                  "senderPhone",
                  "with + and the country; empty: none",
                  <input type="tel" maxLength={30} className="input max-w-60 tabular-nums" />,
                )}
              </Group>
            </Section>
            <Section title="Carriers">
              <Group hint="{number} stands for the tracking number, which becomes a link on the order and in its email.">
                {field(
                  "carriers",
                  "a carrier a line: its name, and its address",
                  <textarea rows={3} placeholder={`GIG ${CARRIER_EXAMPLE}`} className="input" />,
                )}
              </Group>
            </Section>
          </div>
        </div>
      </ValuesForm>
    </Page>
  );
}

/** Fields that belong together, with a line about all of them. */
function Group({ hint, children }: { hint?: string; children: ReactNode }) {
  return (
    <div className="grid max-w-120 gap-4">
      {children}
      {hint && <Hint>{hint}</Hint>}
    </div>
  );
}

/** A choice of texts, by their values. */
const choice = (texts: Record<string, string>) => (
  <select className="input max-w-60">
    {Object.entries(texts).map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
);
const number = (name: keyof Numbers) => (
  <input
    inputMode="numeric"
    maxLength={3}
    placeholder={String(SHIPPED_NUMBERS[name])}
    className="input max-w-40 tabular-nums"
  />
);
const limitsOf = (name: keyof Numbers) =>
  `${NUMBER_LIMITS[name].least} to ${NUMBER_LIMITS[name].most}; empty: ${SHIPPED_NUMBERS[name]}`;
const address = (type: "email" | "tel" | "url") => <input type={type} maxLength={300} className="input" />;

function NoticeFields({ field, text }: { field: FieldOf<Name>; text: string }) {
  const zone = useContext(ShopZone);
  const moment = <input type="datetime-local" className="input tabular-nums" />;
  return (
    <Group>
      {field(
        "notice",
        `above every page; ${NOTICE_MAX - text.length} characters left`,
        <input maxLength={NOTICE_MAX} placeholder="We’re sending orders again from Monday" className="input" />,
        "Text",
      )}
      {text.trim() !== "" && (
        <p className="bg-cocoa px-4 py-1.5 text-sm text-balance text-paper">
          <span className="sr-only">Preview: </span>
          {text}
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {field("noticeFrom", `optional, ${zone}`, moment)}
        {field("noticeUntil", `optional, ${zone}`, moment)}
      </div>
    </Group>
  );
}

/** Whether the shop shows the notice at the moment. */
function NoticeState() {
  const { stored, now } = useLoaderData<typeof loader>();
  const { notice, noticeFrom, noticeUntil } = stored.values;
  const [tone, words]: [Tone, string] =
    notice === ""
      ? ["rest", "None"]
      : noticeUntil && noticeUntil <= now
        ? ["rest", "Over"]
        : noticeFrom && noticeFrom > now
          ? ["waiting", "Scheduled"]
          : ["done", "In the shop now"];
  return <State tone={tone}>{words}</State>;
}
