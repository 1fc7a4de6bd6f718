import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { HeroPicture } from "#app/ui/frame/hero-picture.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/about";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "About | Irepo",
    description: "Irepo is Yoruba for harmony. A clothing house from Nigeria, built on unity and connection.",
  });

export default function About() {
  return (
    <main>
      <div className="relative flex h-[60svh] min-h-96 items-end overflow-hidden bg-palm text-paper">
        <HeroPicture color="green" alt="Irepo jerseys on a palm green ground" />
        {/* As high as its three lines before they have arrived: it stands on its foot, and would move up. */}
        <div className="page display relative min-h-[calc(3lh+8.5rem)] bg-linear-to-t from-ink/80 to-transparent pt-24 pb-10 text-[clamp(1.625rem,8vw,2.5rem)] md:text-[clamp(2.5rem,3.4vw,3.5rem)]">
          <h1 className="max-w-[14ch]">Built on unity and connection</h1>
        </div>
      </div>
      <div className="prose-page py-12 text-lg">
        <p>
          <em lang="yo">Ìrẹ́pọ̀</em> is Yoruba for harmony: being of one mind. It is what a team has on a good day, and
          what a street has when somebody scores.
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
        <h2>Who it is for</h2>
        <p>
          For whoever sits together: the viewing centre in Surulere, the campus pitch in Nsukka, the flat in London
          where eleven people share one sofa. We deliver everywhere in Nigeria and to many countries abroad.
        </p>
        <div className="mt-10">
          <ButtonLink to="/shop">Shop Now</ButtonLink>
        </div>
      </div>
    </main>
  );
}
