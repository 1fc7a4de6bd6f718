import { useContext } from "react";
import { redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { SHIPPED_BRAND, sentenceOf } from "#app/brand/brand.ts";
import { useBrand } from "#app/brand/context.tsx";
import { getProducts, listCards } from "#app/catalog/catalog.server.ts";
import { collectionNames } from "#app/catalog/collections/collections.server.ts";
import { homeContents, placeOf, shownSlide } from "#app/catalog/home/hero.server.ts";
import { collectionOf, currentTarget, productOf } from "#app/catalog/home/hero.ts";
import { NamedLink } from "#app/catalog/home/named-link.tsx";
import { shownSections } from "#app/catalog/home/own-sections.server.ts";
import { newestIn, shippedSections } from "#app/catalog/home/own-sections.ts";
import { Section } from "#app/catalog/home/sections.tsx";
import { NAMED } from "#app/catalog/home/texts.ts";
import { StructuredData } from "#app/catalog/json-ld.tsx";
import { shownOfHome, versionOf } from "#app/catalog/link-pictures/shown.server.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { shopData } from "#app/catalog/structured-data.ts";
import { homeDraft } from "#app/content/preview/preview.server.ts";
import { hasAnsweredNotice, noticeCookie, privacyNotice } from "#app/content/privacy-notice.server.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { newsHtml } from "#app/orders/news/html.server.tsx";
import { dismissGreeting, newsFor } from "#app/orders/news/news.server.ts";
import { ContactContext } from "#app/ui/frame/contact.tsx";
import { Hero } from "#app/ui/frame/hero.tsx";
import { brandIn, linkPicture, pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/home";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const brand = brandIn(matches);
  const site = matches[1].loaderData?.site;
  return pageMeta(matches, {
    image: loaderData && linkPicture(site, "home", loaderData.link, `${brand.name}: ${brand.tagline}`),
    description: `${sentenceOf(brand)} Sizes ${SIZE_RANGE}, delivered in Nigeria and abroad.`,
  });
};

/**
 * The same data for everybody who has answered the privacy notice and for everybody who hasn't, except for a shopper
 * with news about an order and for a preview. Without a session, no news are looked up.
 */
export async function loader({ request }: Route.LoaderArgs) {
  const cookies = request.headers.get("cookie") ?? "";
  const user = await currentUser(request);
  const { slides, sections } = { ...(await homeContents(db())), ...(await homeDraft(db(), cookies)) };
  const [products, named, collections, { rate }, { brand = SHIPPED_BRAND }, news] = await Promise.all([
    listCards(db(), {}, newestIn(sections)),
    getProducts(db(), [...NAMED, ...slides.flatMap(({ target }) => productOf(target) ?? [])]),
    collectionNames(
      db(),
      slides.flatMap(({ target }) => collectionOf(currentTarget(target)) ?? []),
    ),
    rateInForce(db()),
    shopSettings(db()),
    user && newsFor(db(), user.id),
  ]);
  return {
    slides: slides.map((slide) => shownSlide(slide, named, collections)),
    products: sections ? [] : products,
    ...(sections && { sections: await shownSections(db(), sections, products) }),
    named: new Map(NAMED.map((id) => [id, placeOf(named.get(id))])),
    rate,
    link: versionOf(shownOfHome(slides, products, brand)),
    news: news && newsHtml(news),
    notice: hasAnsweredNotice(cookies) ? undefined : privacyNotice(brand.name),
  };
}

/** Dismisses the greeting for an order, or the privacy notice. */
export async function action({ request }: Route.ActionArgs) {
  const { dismiss, notice } = await readForm(request);
  if (notice) throw redirect("/#new", { status: 303, headers: { "Set-Cookie": noticeCookie() } });
  const user = dismiss && (await currentUser(request));
  if (user) await dismissGreeting(db(), user.id, dismiss);
  throw redirect("/", 303);
}

export default function Home({ loaderData, matches }: Route.ComponentProps) {
  const { slides, products, sections, named, rate, news, notice } = loaderData;
  const [first, ...others] = (sections ?? shippedSections(products)).map((section, at, { length }) => (
    <Section
      key={section.id}
      section={section}
      at={at}
      isLast={at === length - 1}
      isOwn={sections !== undefined}
      named={named}
      rate={rate}
    />
  ));
  const [brand, contact] = [useBrand(), useContext(ContactContext)];
  return (
    <main className="[--page:111rem]">
      <div className="first-screen">
        {news && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has made it, and escaped what people have written
          <div dangerouslySetInnerHTML={{ __html: news }} />
        )}
        <Hero
          slides={slides.map(({ place, ...slide }) => ({
            ...slide,
            shown: place && <NamedLink place={place} rate={rate} />,
          }))}
        />
      </div>
      {/* Overlaps the bottom of the campaign. */}
      <div className="relative -mt-10 bg-paper lg:mt-0">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the server has made it, and escaped the shop's name */}
        {notice && <div dangerouslySetInnerHTML={{ __html: notice }} />}
        {first}
      </div>
      {others}
      <StructuredData data={shopData(matches[1].loaderData.site, brand, contact)} />
    </main>
  );
}
