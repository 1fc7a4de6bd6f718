import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useBrand } from "#app/brand/context.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { wantsLessMotion } from "#app/ui/cross-fade.browser.ts";
import { PauseIcon, PlayIcon } from "#app/ui/icons.tsx";
import { savesData } from "#app/ui/saves-data.browser.ts";
import { HeroPictureView } from "./hero-picture.tsx";
import type { HeroPicture } from "./hero-pictures.ts";

const EVERY = 5000;
/**
 * In ms. The delay after a slide is shown until the next picture is fetched, so that it is not fetched for visitors who
 * leave at once. The next slide waits for its picture.
 */
const FETCH_NEXT_AFTER = 2500;
const SWIPE = 40;

const atLeast = (least: number) => (count: number) => Math.max(count, least);

/** `title` has line breaks, at most two. `shown` is a link to the product or page of the picture. */
export type Slide = {
  id: string;
  ground: string;
  title: string;
  text: string;
  picture: HeroPicture;
  shown: ReactNode;
};

/**
 * A carousel that shows the next slide every 5 s with a fade of 500 ms. It stops while the mouse or the keyboard focus
 * is on it, when it is paused, and if the visitor prefers reduced motion or saves data.
 */
export function Hero({ slides }: { slides: Slide[] }) {
  const { name, wordmark } = useBrand();
  const [turned, setCurrent] = useState(0);
  const current = turned % slides.length; // the number of slides may have decreased
  const [paused, setPaused] = useState(false);
  const [held, setHeld] = useState(false);
  const [seen, setSeen] = useState(1);
  const swipe = useRef(0);
  const hero = useRef<HTMLElement>(null);
  const show = (index: number) => setCurrent((index + slides.length) % slides.length);

  useEffect(() => {
    if (savesData() || wantsLessMotion()) setPaused(true);
  }, []);
  useEffect(() => {
    setSeen(atLeast(current + 1));
    if (paused || held) return;
    const next = (current + 1) % slides.length;
    const end = new AbortController();
    const turn = () => {
      const picture = hero.current?.querySelectorAll("img")[next];
      if (picture?.complete) setCurrent(next);
      else picture?.addEventListener("load", () => setCurrent(next), { signal: end.signal });
    };
    let timer = setTimeout(() => {
      flushSync(() => setSeen(atLeast(current + 2))); // synchronously, so that `turn` finds the picture
      timer = setTimeout(turn, EVERY - FETCH_NEXT_AFTER);
    }, FETCH_NEXT_AFTER);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [paused, held, current, slides.length]);

  const keys = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") show(current + 1);
    if (event.key === "ArrowLeft") show(current - 1);
  };
  return (
    <section
      ref={hero}
      aria-roledescription="carousel"
      aria-label={`New at ${name}`}
      className="campaign relative overflow-hidden bg-linen"
      onKeyDown={keys}
      // A tap also fires mouse events and may keep the focus as it was. Neither must stop the slides.
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ target }) => target.matches(":focus-visible") && setHeld(true)}
      onBlur={() => setHeld(false)}
      onTouchStart={(event) => {
        setSeen(atLeast(current + 2));
        swipe.current = event.touches[0]?.clientX ?? 0;
      }}
      onTouchEnd={(event) => {
        const way = (event.changedTouches[0]?.clientX ?? 0) - swipe.current;
        if (Math.abs(way) > SWIPE) show(current + (way < 0 ? 1 : -1));
      }}
    >
      <h1 className="sr-only">{wordmark}</h1>
      {slides.map((slide, index) => (
        <SlideView
          key={slide.id}
          slide={slide}
          active={index === current}
          first={index === 0}
          fetched={index < seen}
          label={`${index + 1} of ${slides.length}`}
        />
      ))}
      {slides.length > 1 && (
        <div className="page absolute inset-x-0 bottom-(--lap) z-10 flex items-center gap-1 lying:justify-end text-paper [--ring:var(--color-paper)] lg:bottom-4 [@media(scripting:none)]:hidden">
          {slides.map((slide, index) => (
            <button
              key={slide.id}
              type="button"
              onClick={() => show(index)}
              aria-current={index === current}
              className="grid h-11 min-w-8 place-items-center"
            >
              <span className="sr-only">Show slide {index + 1} </span>
              <span
                // Clipped instead of resized, so that an automatic change does not shift the layout.
                className={`h-2 w-8 bg-paper forced-color-adjust-none forced-colors:bg-[CanvasText] transition-[clip-path,opacity] duration-500 ${index === current ? "[clip-path:inset(0_round_1rem)]" : "opacity-70 [clip-path:inset(0_0.75rem_round_1rem)]"}`}
              />
            </button>
          ))}
          <button
            type="button"
            onClick={() => setPaused(!paused)}
            className="ml-auto grid size-11 place-items-center beside:ml-2"
          >
            {paused ? <PlayIcon className="size-5" /> : <PauseIcon className="size-5" />}
            <span className="sr-only">{paused ? "Play the slides" : "Pause the slides"}</span>
          </button>
        </div>
      )}
    </section>
  );
}

type SlideProps = { slide: Slide; active: boolean; first: boolean; fetched: boolean; label: string };

function SlideView({ slide: { ground, title, text, picture, shown }, active, first, fetched, label }: SlideProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide is a group within the carousel
    <div
      role="group"
      aria-roledescription="slide"
      aria-label={label}
      inert={!active}
      className={`campaign-slide transition-opacity duration-500 ${ground} ${active ? "opacity-100" : "opacity-0"}`}
    >
      {fetched ? <HeroPictureView {...picture} urgent={first} /> : <div />}
      <div className="campaign-words page text-paper [--ring:var(--color-paper)]">
        <p className="display whitespace-pre-line text-(length:--line)">{title}</p>
        {text && <p className="mt-3 text-lg">{text}</p>}
        <div className="mt-4 flex flex-col items-start gap-x-6 gap-y-4 md:gap-y-1 md:flex-row md:flex-wrap md:items-center lg:mt-7">
          <ButtonLink to="/shop" className="bg-paper! text-ink! hover:bg-linen!">
            Shop Now
          </ButtonLink>{" "}
          {shown}
        </div>
      </div>
    </div>
  );
}
