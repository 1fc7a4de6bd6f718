import { redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { listCards } from "#app/catalog/catalog.server.ts";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { newsHtml } from "#app/orders/news/html.server.tsx";
import { dismissGreeting, newsFor } from "#app/orders/news/news.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Hero, type Slide } from "#app/ui/frame/hero.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/home";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Irepo: jerseys and streetwear from Nigeria",
    description: `Jerseys and streetwear built on unity and connection. Sizes ${SIZE_RANGE}, delivered in Nigeria and abroad.`,
  });

const SLIDES: Slide[] = [
  { color: "orange", line: "Wear\nthe same\nheart", alt: "Irepo jerseys on a burnt orange ground" },
  { color: "green", line: "One mind,\none shirt", alt: "Irepo jerseys on a palm green ground" },
  { color: "brown", line: "Built on\nunity", alt: "Irepo jerseys on a cocoa ground" },
];
const NEW_ARRIVALS = 4;

/** For everybody the same, but for a shopper for whom there is news: without a session this asks for none (request-listener.server.ts). */
export async function loader({ request }: Route.LoaderArgs) {
  const user = await currentUser(request);
  const [products, { rate }, news] = await Promise.all([
    listCards(db(), {}, NEW_ARRIVALS),
    rateInForce(db()),
    user && newsFor(db(), user.id),
  ]);
  return { products, rate, news: news && newsHtml(news) };
}

/** Puts the greeting for an order away. */
export async function action({ request }: Route.ActionArgs) {
  const [user, { dismiss }] = await Promise.all([currentUser(request), readForm(request)]);
  if (user && dismiss) await dismissGreeting(db(), user.id, dismiss);
  throw redirect("/", 303);
}

export default function Home({ loaderData: { products, rate, news } }: Route.ComponentProps) {
  return (
    <main>
      <h1 className="sr-only">IREPO</h1>
      {news && (
        <div // The campaign after it gives way.
          className="[&+section]:h-[64svh]! [&+section]:min-h-120!"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has made it, and escaped what people have written
          dangerouslySetInnerHTML={{ __html: news }}
        />
      )}
      <Hero slides={SLIDES} />
      <section aria-labelledby="new" className="page py-16">
        <div className="mb-8 flex min-h-12 items-baseline justify-between gap-4">
          <h2 id="new" className="display text-2xl sm:text-4xl">
            New arrivals
          </h2>
          <ButtonLink to="/shop" look="quiet" className="whitespace-nowrap">
            See all
          </ButtonLink>
        </div>
        <ProductGrid products={products} rate={rate} />
      </section>
      <section className="-mb-20 bg-linen py-20">
        <p className="display page text-center text-xl leading-tight sm:text-2xl lg:text-4xl">
          <span className="block">Irepo means being of one mind.</span>{" "}
          <span className="block">We are built on unity and connection.</span>
        </p>
      </section>
    </main>
  );
}
