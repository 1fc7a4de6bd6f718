import { meaningOf, SHIPPED_BRAND } from "#app/brand/brand.ts";
import { listCards } from "#app/catalog/catalog.server.ts";
import { CLOTH } from "#app/catalog/home/texts.ts";
import { ABOUT_TITLE, shownOfList, versionOf } from "#app/catalog/link-pictures/shown.server.ts";
import { ABOUT_TEXT } from "#app/content/about.tsx";
import { textFor } from "#app/content/published.server.ts";
import { PageText } from "#app/content/text.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { HeroPictureView } from "#app/ui/frame/hero-picture.tsx";
import { shippedPicture } from "#app/ui/frame/hero-pictures.ts";
import { HomePicture } from "#app/ui/frame/home-picture.tsx";
import { brandIn, linkPicture, pageMeta } from "#app/ui/frame/page-meta.ts";
import type { TextBlock } from "#db/types.ts";
import type { Route } from "./+types/about";

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    image: loaderData && linkPicture(matches[1].loaderData?.site, "about", loaderData.link, brandIn(matches).name),
    title: "About",
    description: meaningOf(
      brandIn(matches),
      "is Yoruba for harmony. A clothing house from Nigeria, built on unity and connection.",
    ),
  });

export async function loader({ request }: Route.LoaderArgs) {
  const [own, products, { brand = SHIPPED_BRAND }] = await Promise.all([
    textFor(db(), "about", request),
    listCards(db(), {}, 1),
    shopSettings(db()),
  ]);
  const picture = shippedPicture("green", "White Lagoon Sash Jersey beside an orange Ember Pinstripe Jersey");
  return { picture, text: own?.blocks, link: versionOf(shownOfList(ABOUT_TITLE, products, brand)) };
}

/** A text in two parts, with room for a picture between them: before its last heading, or else at its end. */
function aroundPicture(text: TextBlock[]) {
  const heading = text.findLastIndex(({ kind }) => kind === "heading");
  const at = heading > 0 ? heading : text.length;
  return { before: text.slice(0, at), after: text.slice(at) };
}

export default function About({ loaderData: { picture, text } }: Route.ComponentProps) {
  const own = text && aroundPicture(text);
  return (
    <main>
      {/* The letters of "Ìrẹ́pọ̀", so that they come in the brand's own face on a first visit, too. */}
      <link rel="preload" href="/fonts/archivo-vietnamese.woff2" as="font" type="font/woff2" crossOrigin="anonymous" />
      <div className="relative grid grid-cols-1 grid-rows-[minmax(14rem,44svh)_auto] overflow-hidden bg-[#0f5a3b] text-paper beside:grid-rows-[minmax(24rem,60svh)]">
        <HeroPictureView {...picture} />
        <div className="page [--page:111rem] pb-10 beside:relative beside:self-center beside:pb-0 beside:[grid-area:1/1]">
          {/* The height of its lines is reserved before the font has loaded, since the vertically centred title
              would move. */}
          <h1 className="display max-w-[14ch] text-[clamp(1.625rem,8vw,2.5rem)] beside:min-h-[3lh] beside:text-[clamp(1.75rem,3.4vw,3.25rem)]">
            Built on unity and connection
          </h1>
        </div>
      </div>
      <div className="prose-page py-12 text-lg">{own ? <PageText blocks={own.before} /> : ABOUT_TEXT.before}</div>
      <HomePicture
        name="adire-cloth"
        alt={CLOTH.alt}
        sizes="(min-width: 768px) 100vw, max(100vw, 36rem)"
        className="h-60 w-full object-cover lg:h-96"
      />
      <div className="prose-page pt-2 pb-12 text-lg">
        {own ? <PageText blocks={own.after} /> : ABOUT_TEXT.after}
        <div className="mt-10">
          <ButtonLink to="/shop">Shop Now</ButtonLink>
        </div>
      </div>
    </main>
  );
}
