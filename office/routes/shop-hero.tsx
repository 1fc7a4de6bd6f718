import { useEffect, useRef, useState } from "react";
import { Form, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { collectionOf, productOf, SHIPPED_SLIDES } from "#app/catalog/home/hero.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { collectionChoices } from "#app/owner/collections/collections.server.ts";
import { changeHero, storedSlides, versionOf } from "#app/owner/shop/hero.server.ts";
import { MOST_SLIDES } from "#app/owner/shop/hero.ts";
import { PlusIcon } from "#app/ui/icons.tsx";
import type { HeroSlide } from "#db/types.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, PlainLink } from "../frame/button.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Notice, UnsavedNotice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { heroFields } from "../shop/fields.server.ts";
import { HeroList } from "../shop/hero-list.browser.tsx";
import { HeroPreview } from "../shop/hero-preview.tsx";
import { HeroSlideForm } from "../shop/hero-slide.browser.tsx";
import { SaveBar } from "../shop/save-bar.tsx";
import { useHero } from "../shop/use-hero.browser.ts";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const slides = await storedSlides(db());
  const named = await getProducts(
    db(),
    slides.flatMap(({ target }) => productOf(target) ?? []),
  );
  const linked = slides.map(({ target }) => collectionOf(target));
  const collections = (await collectionChoices(db())).filter(({ id, hidden }) => !hidden || linked.includes(id));
  return {
    slides,
    collections: collections.map(({ id, name }) => ({ id, name })),
    version: versionOf(slides),
    products: [...named.values()].map(({ id, title }) => ({ id, title })),
    shop: env.publicUrl.href,
  };
}

export const action = changes({
  hero: change({
    needs: "shop",
    fields: heroFields,
    run: async ({ by, fields: { slides, seen } }) => {
      const done = await changeHero(db(), by, slides, seen);
      if (done.ok) return { ok: true, what: "Saved. The shop shows it now.", version: versionOf(done.slides) };
      if ("isStale" in done) return { ok: false, problem: "Nothing was saved", meanwhile: "slides" };
      const problems = Object.entries(done.problems).map(([name, problem]) => [`slides.${name}`, problem]);
      return { ok: false, problems: Object.fromEntries(problems) };
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

export default function ShopHero() {
  useFresh();
  const known = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const hero = useHero(known, done);
  const { mine } = hero;
  const [chosenId, choose] = useState(mine[0]?.id);
  const chosen = mine.find(({ id }) => id === chosenId) ?? mine[0];
  const at = chosen ? mine.indexOf(chosen) : 0;
  const problems = done && !done.ok && "problems" in done ? done.problems : {};
  const of = (index: number) =>
    Object.fromEntries(
      Object.entries(problems).flatMap(([path, problem]) => {
        const [, place, name = ""] = path.split(".");
        return place === String(index) ? [[name, problem]] : [];
      }),
    );
  const wrong = mine.filter((_, index) => Object.keys(of(index)).length > 0).map(({ id }) => id);
  const [firstWrong] = wrong;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (firstWrong) choose(firstWrong);
  }, [done]);
  const notices = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hero.isStale || (done && !done.ok)) notices.current?.scrollIntoView({ block: "center" });
  }, [done, hero.isStale]);
  const add = () => {
    const slide = newSlide();
    hero.set((all) => [...all, slide]);
    choose(slide.id);
  };
  return (
    <Page
      title="Home page"
      back={{ to: "/shop", title: "Shop" }}
      about="The slides at the top. The shop shows them as soon as you save"
      actions={
        <PlainLink href={known.shop} target="_blank" rel="noopener">
          See it
        </PlainLink>
      }
    >
      <div ref={notices}>
        {done && !done.ok && "problem" in done && done.meanwhile === undefined && (
          <Notice kind={"isOffline" in done ? "offline" : "error"}>{done.problem}</Notice>
        )}
        {Object.keys(problems).length > 0 && (
          <Notice kind="error">
            Nothing was saved. <span>{problems.slides ?? "Check the marked fields."}</span>
          </Notice>
        )}
        {hero.isFound && !hero.isStale && <UnsavedNotice onDiscard={hero.takeTheirs} />}
        {hero.isStale && <Meanwhile theirs={known.slides} onMine={hero.keepMine} onTheirs={hero.takeTheirs} />}
      </div>
      <div className="lg:grid lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-x-14">
        <Section
          title="Slides"
          aside={mine.length > 1 && <span className="text-[0.8125rem] text-muted">Drag to put them in order</span>}
        >
          <HeroList
            slides={mine}
            chosen={chosen?.id ?? ""}
            wrong={wrong}
            onChoose={choose}
            onMove={(moved) => hero.set(() => moved)}
          />
          <div className="mt-3 flex flex-wrap gap-2">
            <Button type="button" look="line" isDisabled={mine.length >= MOST_SLIDES} onPress={add}>
              <PlusIcon className="size-5" />
              Add a slide
            </Button>
            <Button type="button" look="bare" className="px-2" onPress={() => hero.set(() => SHIPPED_SLIDES)}>
              Reset to the first three
            </Button>
          </div>
        </Section>
        <Section title={`Slide ${at + 1}`}>
          {chosen && (
            <HeroSlideForm
              key={chosen.id}
              slide={chosen}
              at={at}
              count={mine.length}
              products={known.products}
              collections={known.collections}
              problems={of(at)}
              onChange={(what) => hero.change(chosen.id, what)}
              onMove={(to) => hero.set((all) => all.toSpliced(at, 1).toSpliced(to, 0, chosen))}
              onRemove={() => hero.set((all) => all.filter(({ id }) => id !== chosen.id))}
            />
          )}
        </Section>
      </div>
      <Form method="post" onSubmit={hero.send} preventScrollReset className="contents">
        <input type="hidden" name="intent" value="hero" />
        <input type="hidden" name="slides" value={JSON.stringify(mine)} />
        <input type="hidden" name="seen" value={hero.seen} />
        <SaveBar
          label="Save the slides"
          status={hero.isChanged ? "Not saved yet" : done?.ok ? done.what : undefined}
          isDisabled={hero.isStale}
        />
      </Form>
    </Page>
  );
}

function newSlide(): HeroSlide {
  const id = crypto.randomUUID().slice(0, 8);
  const words = { title: "", text: "", alt: "", target: "", label: "" };
  return { id, ground: "green", ...words, desktop: null, phone: null };
}

type MeanwhileProps = { theirs: HeroSlide[]; onMine(): void; onTheirs(): void };

function Meanwhile({ theirs, onMine, onTheirs }: MeanwhileProps) {
  return (
    <Notice
      kind="conflict"
      actions={
        <>
          <Button type="button" look="line" onPress={onMine}>
            Keep mine
          </Button>
          <Button type="button" look="line" onPress={onTheirs}>
            Take theirs
          </Button>
        </>
      }
    >
      <strong className="font-semibold">Somebody else has changed the slides.</strong> Yours are still here, and haven’t
      been saved. These are theirs:
      <ul className="mt-2 grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-6">
        {theirs.map((slide) => (
          <li key={slide.id} className="min-w-0">
            <HeroPreview slide={slide} />
            <span className="block truncate">{slide.title.replaceAll("\n", " ")}</span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
