import { dollarText } from "#app/money/money.ts";
import { type Product, pictureUrl } from "./product.ts";

const RETURNS = {
  returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
  merchantReturnDays: 14,
  returnMethod: "https://schema.org/ReturnByMail",
  returnFees: "https://schema.org/ReturnFeesCustomerResponsibility",
};
const NO_RETURNS = { returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted" };

/** schema.org's Product with an offer for each size and the return policy. `site` is the shop's origin. */
export function productData(product: Product, site: string): string {
  const url = `${site}/singleProduct/${product.id}`;
  const data = {
    "@context": "https://schema.org",
    "@type": "ProductGroup",
    name: product.title,
    description: product.description,
    productGroupID: product.id,
    url,
    color: product.color,
    material: product.details.fabric,
    brand: { "@type": "Brand", name: "Irepo" },
    image: product.images.map((image) => site + pictureUrl(image, 1200, "jpg")),
    variesBy: "https://schema.org/size",
    hasVariant: product.sizes.map(({ size, available }) => ({
      "@type": "Product",
      name: `${product.title}, ${size}`,
      sku: `${product.id}-${size}`,
      size,
      color: product.color,
      image: product.images[0] && site + pictureUrl(product.images[0], 1200, "jpg"),
      offers: {
        "@type": "Offer",
        url,
        price: dollarText(product.priceCents),
        priceCurrency: "USD",
        itemCondition: "https://schema.org/NewCondition",
        availability: `https://schema.org/${available > 0 ? "InStock" : "OutOfStock"}`,
        hasMerchantReturnPolicy: {
          "@type": "MerchantReturnPolicy",
          applicableCountry: "NG",
          ...(product.finalSale ? NO_RETURNS : RETURNS),
        },
      },
    })),
  };
  // Inside a script element nothing may look like its end.
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
