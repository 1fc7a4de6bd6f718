import { type Brand, sentenceOf } from "#app/brand/brand.ts";
import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { dollarText, type UsdCents } from "#app/money/money.ts";
import type { Contact } from "#app/ui/frame/contact.tsx";
import type { Currency } from "./currency/country.ts";
import { type Product, pictureUrl } from "./product.ts";
import { ONE_SIZE, pieceText } from "./sizes.ts";

const returnsWithin = (days: number) => ({
  returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
  merchantReturnDays: days,
  returnMethod: "https://schema.org/ReturnByMail",
  returnFees: "https://schema.org/ReturnFeesCustomerResponsibility",
});
const NO_RETURNS = { returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted" };

/** A currency, and the rate by which prices are charged in naira. */
export type PriceMoney = { currency: Currency; rate: Rate };

/** A price as a number for programs, like "49.99", or as it is charged in naira, "79984.00". */
export function priceNumber(cents: UsdCents, { currency, rate }: PriceMoney): string {
  return currency === "USD" ? dollarText(cents) : (chargeInKobo(cents, rate) / 100).toFixed(2);
}

/** What each offer of a product says of its delivery: OfferShippingDetails with ids, and the countries' codes. */
export type DeliveryData = { details: readonly { "@id": string }[]; countries: readonly string[] };

const RETURNS_ID = "#returns";
/** Google reads no return policy that names more countries. */
const MOST_COUNTRIES = 50;

/**
 * schema.org's ProductGroup, with an offer for each size. Delivery and return policy are spelled out in the first
 * offer, to which the others refer. `site` is the shop's origin, `money` the currency that the page shows first,
 * `brand` the shop's name, `returnDays` the days for a return.
 */
export function productData(
  product: Product,
  site: string,
  money: PriceMoney,
  { brand, returnDays }: { brand: string; returnDays: number },
  delivery: DeliveryData,
) {
  const url = `${site}/singleProduct/${product.id}`;
  const color = product.color || undefined;
  const isSized = product.sizes.some(({ size }) => size !== ONE_SIZE);
  const returns = {
    "@id": RETURNS_ID,
    "@type": "MerchantReturnPolicy",
    applicableCountry: delivery.countries.length > 0 ? delivery.countries.slice(0, MOST_COUNTRIES) : "NG",
    ...(product.finalSale ? NO_RETURNS : returnsWithin(returnDays)),
  };
  const terms = {
    shippingDetails: delivery.details.length > 0 ? delivery.details : undefined,
    hasMerchantReturnPolicy: returns,
  };
  const sameTerms = {
    shippingDetails: terms.shippingDetails?.map(idOf),
    hasMerchantReturnPolicy: idOf(returns),
  };
  return {
    "@type": "ProductGroup",
    name: product.title,
    description: product.description || undefined,
    productGroupID: product.id,
    url,
    color,
    material: product.details.fabric,
    brand: { "@type": "Brand", name: brand },
    image: product.images.map((image) => site + pictureUrl(image, 1200, "jpg")),
    variesBy: isSized ? "https://schema.org/size" : undefined,
    hasVariant: product.sizes.map(({ size, available }, at) => ({
      "@type": "Product",
      name: pieceText({ title: product.title, size }),
      sku: isSized ? `${product.id}-${size}` : product.id,
      size: isSized ? size : undefined,
      color,
      image: product.images[0] && site + pictureUrl(product.images[0], 1200, "jpg"),
      offers: {
        "@type": "Offer",
        url,
        price: priceNumber(product.priceCents, money),
        priceCurrency: money.currency,
        priceValidUntil: product.saleUntil?.toISOString(),
        priceSpecification: product.oldPriceCents && {
          "@type": "UnitPriceSpecification",
          priceType: "https://schema.org/StrikethroughPrice",
          price: priceNumber(product.oldPriceCents, money),
          priceCurrency: money.currency,
        },
        itemCondition: "https://schema.org/NewCondition",
        availability: `https://schema.org/${available > 0 ? "InStock" : "OutOfStock"}`,
        ...(at === 0 ? terms : sameTerms),
      },
    })),
  };
}

const idOf = (node: { "@id": string }) => ({ "@id": node["@id"] });

/** schema.org's Organization for the home page: the shop, and how shoppers reach its owner. */
export function shopData(site: string, brand: Brand, contact: Contact | undefined) {
  const pages = [contact?.instagramUrl, contact?.xUrl].filter((one) => one !== undefined);
  return {
    "@type": "Organization",
    name: brand.name,
    url: `${site}/`,
    logo: `${site}/icon-512.png`,
    description: sentenceOf(brand),
    sameAs: pages.length > 0 ? pages : undefined,
    contactPoint: contact && {
      "@type": "ContactPoint",
      contactType: "customer service",
      email: contact.email,
      url: contact.whatsappUrl,
    },
  };
}
