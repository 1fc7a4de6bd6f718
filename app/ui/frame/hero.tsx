import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ButtonLink } from "#app/ui/button.tsx";
import { wantsLessMotion } from "#app/ui/cross-fade.browser.ts";
import { PauseIcon, PlayIcon } from "#app/ui/icons.tsx";
import { savesData } from "#app/ui/saves-data.browser.ts";
import { HeroPictureView } from "./hero-picture.tsx";
import type { HeroPicture } from "./hero-pictures.ts";

const EVERY = 5000;
/** So long after a slide is shown the picture of the next one is fetched, for whoever has stayed; that slide waits for it. */
const FETCH_NEXT_AFTER = 2500;
const SWIPE = 40;

const atLeast = (least: number) => (count: number) => Math.max(count, least);

/** `title` is broken where its sense breaks, into three at most; `shown` is a link to what the picture shows. */
export type Slide = {
  id: string;
  ground: string;
  title: string;
  text: string;
  picture: HeroPicture;
  shown: ReactNode;
};

/** Slides that follow each other every 5 s with a fade of 500 ms, until somebody points at them, pauses them or prefers less motion. */
export function Hero({ slides }: { slides: Slide[] }) {
  const [turned, setCurrent] = useState(0);
  const current = turned % slides.length; // there may be fewer than before
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
      flushSync(() => setSeen(atLeast(current + 2))); // at once, so that `turn` finds its picture
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
      aria-label="New at Irepo"
      className="campaign relative overflow-hidden bg-linen"
      onKeyDown={keys}
      // A tap sends the events of a mouse as well, and leaves the focus where it was; neither stops the slides.
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
      <h1 className="sr-only">IREPO</h1>
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
        <div className="page absolute inset-x-0 bottom-(--lap) z-10 flex items-center gap-1 text-paper [--ring:var(--color-paper)] lg:bottom-4 [@media(scripting:none)]:hidden">
          {slides.map((slide, index) => (
            <button
              key={slide.id}
              type="button"
              onClick={() => show(index)}
              aria-label={`Show slide ${index + 1}`}
              aria-current={index === current}
              className="grid h-11 min-w-8 place-items-center"
            >
              <span
                // Clipped, not resized: a slide that turns by itself moves nothing.
                className={`h-2 w-8 bg-paper forced-color-adjust-none forced-colors:bg-[CanvasText] transition-[clip-path,opacity] duration-500 ${index === current ? "[clip-path:inset(0_round_1rem)]" : "opacity-70 [clip-path:inset(0_0.75rem_round_1rem)]"}`}
              />
            </button>
          ))}
          <button
            type="button"
            onClick={() => setPaused(!paused)}
            aria-label={paused ? "Play the slides" : "Pause the slides"}
            className="ml-auto grid size-11 place-items-center beside:ml-2"
          >
            {paused ? <PlayIcon className="size-5" /> : <PauseIcon className="size-5" />}
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
        <div className="mt-4 flex flex-col items-start gap-x-6 gap-y-1 md:flex-row md:flex-wrap md:items-center lg:mt-7">
          <ButtonLink to="/shop" className="bg-paper! text-ink! hover:bg-linen!">
            Shop Now
          </ButtonLink>
          {shown}
        </div>
      </div>
    </div>
  );
}
