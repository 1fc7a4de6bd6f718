import { CLOTH } from "#app/catalog/home/texts.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { HeroPictureView } from "#app/ui/frame/hero-picture.tsx";
import { shippedPicture } from "#app/ui/frame/hero-pictures.ts";
import { HomePicture } from "#app/ui/frame/home-picture.tsx";
import { pageMeta, shopPicture } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/about";

export const meta: Route.MetaFunction = ({ matches: [, layout] }) =>
  pageMeta({
    image: shopPicture(layout.loaderData?.site),
    title: "About | Irepo",
    description: "Irepo is Yoruba for harmony. A clothing house from Nigeria, built on unity and connection.",
  });

export function loader() {
  return { picture: shippedPicture("green", "White Lagoon Sash Jersey beside an orange Ember Pinstripe Jersey") };
}

export default function About({ loaderData }: Route.ComponentProps) {
  return (
    <main>
      {/* The letters of "Ìrẹ́pọ̀", so that they come in the brand's own face on a first visit, too. */}
      <link rel="preload" href="/fonts/archivo-vietnamese.woff2" as="font" type="font/woff2" crossOrigin="anonymous" />
      <div className="relative grid grid-cols-1 grid-rows-[minmax(14rem,44svh)_auto] overflow-hidden bg-[#0f5a3b] text-paper beside:grid-rows-[minmax(24rem,60svh)]">
        <HeroPictureView {...loaderData.picture} />
        <div className="page [--page:111rem] pb-10 beside:relative beside:self-center beside:pb-0 beside:[grid-area:1/1]">
          {/* The height of its lines is reserved before the font has loaded, since the vertically centred title
              would move. */}
          <h1 className="display max-w-[14ch] text-[clamp(1.625rem,8vw,2.5rem)] beside:min-h-[3lh] beside:text-[clamp(1.75rem,3.4vw,3.25rem)]">
            Built on unity and connection
          </h1>
        </div>
      </div>
      <div className="prose-page py-12 text-lg">
        <p>
          <strong lang="yo">Ìrẹ́pọ̀</strong> is Yoruba for harmony: being of one mind. It is what a team has on a good
          day, and what a street has when somebody scores.
        </p>
        <p>
          We make jerseys and streetwear in that spirit. Two linked rings are our mark, because a ring alone is only a
          ring.
        </p>
        <h2>What we make</h2>
        <p>
          Jerseys and tees in sizes {SIZE_RANGE}, in colours that come from here: palm green, burnt orange, cocoa,
          harmattan sand, indigo after the cloth of Abeokuta.
        </p>
      </div>
      <HomePicture
        name="adire-cloth"
        alt={CLOTH.alt}
        sizes="(min-width: 768px) 100vw, max(100vw, 36rem)"
        className="h-60 w-full object-cover lg:h-96"
      />
      <div className="prose-page pt-2 pb-12 text-lg">
        <h2>Who it is for</h2>
        <p>
          For everyone who sits together: the viewing centre in Surulere, the campus pitch in Nsukka, the flat in London
          where eleven people share one sofa. We deliver everywhere in Nigeria and to many countries abroad.
        </p>
        <div className="mt-10">
          <ButtonLink to="/shop">Shop Now</ButtonLink>
        </div>
      </div>
    </main>
  );
}
