import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { type Brand, ownBrand, SHIPPED_BRAND } from "#app/brand/brand.ts";
import { BrandContext } from "#app/brand/context.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import { BRAND_MAX } from "#app/owner/shop/settings.ts";
import { Letters } from "#app/ui/frame/wordmark.tsx";
import { SeeIt } from "../frame/button.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Page, Section } from "../frame/page.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { brandFields, savedOutcome, shownTexts } from "../shop/fields.server.ts";
import { useValuesForm, ValuesForm } from "../shop/values-form.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const values = await shopValues(db());
  return { stored: { values, texts: shownTexts(values) }, shop: env.publicUrl.href };
}

const LABELS = { shopName: "Name", wordmark: "Wordmark", tagline: "Tagline", footerLine: "Footer line" };

export const action = changes({
  save: change({
    needs: "shop",
    fields: brandFields,
    run: async ({ by, fields: { was, ...wanted } }) =>
      savedOutcome(await changeShop(db(), by, wanted, was, "brand set"), { ...was, ...wanted }, LABELS),
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

export default function ShopName() {
  useFresh();
  const { stored, shop } = useLoaderData<typeof loader>();
  const { field, textOf, shell } = useValuesForm(stored, LABELS);
  const typed = (name: keyof typeof LABELS) => textOf(name).trim() || null;
  const brand =
    ownBrand({
      shopName: typed("shopName"),
      wordmark: typed("wordmark"),
      tagline: typed("tagline"),
      footerLine: typed("footerLine"),
    }) ?? SHIPPED_BRAND;
  const input = (name: keyof typeof LABELS, placeholder: string) => (
    <input maxLength={BRAND_MAX[name]} placeholder={placeholder} className="input" />
  );
  return (
    <Page
      title="Shop’s name"
      about="On every page, in emails and wherever the shop names itself. The shop shows your changes as soon as you save"
      back={{ to: "/shop", title: "Shop" }}
      actions={<SeeIt href={shop} />}
    >
      <ValuesForm {...shell}>
        <div className="grid lg:grid-cols-2 lg:gap-x-16">
          <Section title="Words">
            <div className="grid max-w-120 gap-4">
              {field("shopName", `empty: ${SHIPPED_BRAND.name}`, input("shopName", SHIPPED_BRAND.name))}
              {field("wordmark", "in the header; empty: the name in capitals", input("wordmark", brand.wordmark))}
              {field("tagline", "what you sell, in a few words", input("tagline", SHIPPED_BRAND.tagline))}
              {field("footerLine", "empty: the year and the wordmark", input("footerLine", brand.footer))}
            </div>
          </Section>
          <Section title="Preview">
            <Preview brand={brand} />
          </Section>
        </div>
      </ValuesForm>
    </Page>
  );
}

/** The header of a page, the head of an email, and the foot of a page. */
function Preview({ brand }: { brand: Brand }) {
  return (
    <BrandContext value={brand}>
      <div className="grid max-w-120 gap-4 wrap-anywhere">
        <p className="text-[0.8125rem] text-muted">{`${brand.name}: ${brand.tagline}`}</p>
        <div className="grid h-14 grid-cols-[1fr_minmax(0,auto)_1fr] items-center border border-hairline">
          <span className="col-start-2 min-w-0">
            <Letters className="h-[1.0625rem] max-w-full" />
          </span>
        </div>
        <div className="border border-hairline">
          <p className="bg-palm p-5 text-xl leading-none font-extrabold tracking-[0.12em] text-paper">
            {brand.wordmark}
          </p>
          <p className="p-5 font-semibold">{`From ${brand.name}`}</p>
        </div>
        <p className="bg-ink px-4 py-3 text-sm text-paper">{brand.footer}</p>
      </div>
    </BrandContext>
  );
}
