import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { collectionOf, productOf, SHIPPED_SLIDES } from "#app/catalog/home/hero.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { changeHero, storedSlides, versionOf } from "#app/owner/shop/hero.server.ts";
import { MOST_SLIDES } from "#app/owner/shop/hero.ts";
import { previewHero } from "#app/owner/shop/preview.server.ts";
import type { HeroSlide } from "#db/types.ts";
import { useAnswer } from "../connection/answer.ts";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { heroFields } from "../shop/fields.server.ts";
import { HeroPreview } from "../shop/hero-preview.tsx";
import { HeroSlideForm } from "../shop/hero-slide.browser.tsx";
import { linkChoices, listOutcome, previewOutcome } from "../shop/list.server.ts";
import { ListScreen } from "../shop/list-screen.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const slides = await storedSlides(db());
  const products = slides.flatMap(({ target }) => productOf(target) ?? []);
  const collections = slides.flatMap(({ target }) => collectionOf(target) ?? []);
  return {
    items: slides,
    version: versionOf(slides),
    shop: env.publicUrl.href,
    ...(await linkChoices(db(), products, collections)),
  };
}

export const action = changes({
  hero: change({
    needs: "shop",
    fields: heroFields,
    run: async ({ by, fields: { slides, seen, press } }) => {
      if (press === "preview") return previewOutcome(await previewHero(db(), by, slides), "slides");
      const done = await changeHero(db(), by, slides, seen);
      return listOutcome(done, "slides", done.ok ? done.slides : []);
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

export default function ShopHero() {
  useFresh();
  const known = useLoaderData<typeof loader>();
  return (
    <ListScreen<HeroSlide>
      title="Home page"
      about="The slides at the top. The shop shows them as soon as you save"
      one="slide"
      many="slides"
      intent="hero"
      storage="irepo-office-hero"
      known={known}
      done={useAnswer<typeof action>()}
      most={MOST_SLIDES}
      titleOf={({ title }) => title.replaceAll("\n", " ")}
      preview={(slide) => <HeroPreview slide={slide} />}
      fields={(slide, problems, onChange) => (
        <HeroSlideForm
          slide={slide}
          products={known.products}
          collections={known.collections}
          problems={problems}
          onChange={onChange}
        />
      )}
      adds={() => [["Add a slide", newSlide]]}
      shipped={{ label: "Reset to the first three", items: SHIPPED_SLIDES }}
    />
  );
}

function newSlide(): HeroSlide {
  const id = crypto.randomUUID().slice(0, 8);
  const words = { title: "", text: "", alt: "", target: "", label: "" };
  return { id, ground: "green", ...words, desktop: null, phone: null };
}
