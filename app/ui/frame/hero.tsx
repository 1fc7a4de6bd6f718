import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { ButtonLink } from "#app/ui/button.tsx";
import { PauseIcon, PlayIcon } from "#app/ui/icons.tsx";
import { savesData } from "#app/ui/saves-data.browser.ts";
import { type HeroColor, HeroPicture } from "./hero-picture.tsx";

const EVERY = 5000;
const SWIPE = 40;

/** `line` is broken where its sense breaks, into three at most. */
export type Slide = { color: HeroColor; line: string; alt: string };

/** Three slides that follow each other every 5 s with a fade of 500 ms, until somebody points at them, pauses them or prefers less motion. */
export function Hero({ slides }: { slides: Slide[] }) {
  const [current, setCurrent] = useState(0);
  const [paused, setPaused] = useState(false);
  const [held, setHeld] = useState(false);
  const [seen, setSeen] = useState(1);
  const swipe = useRef(0);
  const show = (index: number) => setCurrent((index + slides.length) % slides.length);

  useEffect(() => {
    if (savesData() || matchMedia("(prefers-reduced-motion: reduce)").matches) setPaused(true);
  }, []);
  useEffect(() => {
    if (paused || held) return;
    const timer = setTimeout(() => setCurrent((current + 1) % slides.length), EVERY);
    return () => clearTimeout(timer);
  }, [paused, held, current, slides.length]);
  // The next picture is fetched while this one is shown.
  useEffect(() => setSeen((count) => Math.max(count, paused ? current + 1 : current + 2)), [current, paused]);

  const keys = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") show(current + 1);
    if (event.key === "ArrowLeft") show(current - 1);
  };
  return (
    <section
      aria-roledescription="carousel"
      aria-label="New at Irepo"
      className="relative h-[90vh] h-[90svh] overflow-hidden bg-linen"
      onKeyDown={keys}
      // A tap sends the events of a mouse as well, and leaves the focus where it was; neither stops the slides.
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ target }) => target.matches(":focus-visible") && setHeld(true)}
      onBlur={() => setHeld(false)}
      onTouchStart={(event) => {
        swipe.current = event.touches[0]?.clientX ?? 0;
      }}
      onTouchEnd={(event) => {
        const way = (event.changedTouches[0]?.clientX ?? 0) - swipe.current;
        if (Math.abs(way) > SWIPE) show(current + (way < 0 ? 1 : -1));
      }}
    >
      {slides.map((slide, index) => (
        <SlideView
          key={slide.color}
          slide={slide}
          active={index === current}
          first={index === 0}
          fetched={index < seen}
          label={`${index + 1} of ${slides.length}`}
        />
      ))}
      <div className="absolute bottom-22 left-1/2 z-10 flex w-38 -translate-x-1/2 items-center gap-1 lg:bottom-4 [@media(scripting:none)]:hidden">
        {slides.map((slide, index) => (
          <button
            key={slide.color}
            type="button"
            onClick={() => show(index)}
            aria-label={`Show slide ${index + 1}`}
            aria-current={index === current}
            className="grid h-11 min-w-8 place-items-center"
          >
            <span
              // Clipped, not resized: a slide that turns by itself moves nothing.
              className={`h-2 w-8 bg-paper forced-color-adjust-none transition-[clip-path,opacity] duration-500 ${index === current ? "[clip-path:inset(0_round_1rem)]" : "opacity-70 [clip-path:inset(0_0.75rem_round_1rem)]"}`}
            />
          </button>
        ))}
        <button
          type="button"
          onClick={() => setPaused(!paused)}
          aria-label={paused ? "Play the slides" : "Pause the slides"}
          className="grid size-11 place-items-center text-paper"
        >
          {paused ? <PlayIcon className="size-5" /> : <PauseIcon className="size-5" />}
        </button>
      </div>
    </section>
  );
}

const GROUND = { orange: "bg-ember", green: "bg-palm", brown: "bg-cocoa" };
const HEIGHTS = ["min-h-[1lh]", "min-h-[2lh]", "min-h-[3lh]"];
const heightOf = ({ line }: Slide) => HEIGHTS[line.split("\n").length - 1] ?? "";
type SlideProps = { slide: Slide; active: boolean; first: boolean; fetched: boolean; label: string };

function SlideView({ slide, active, first, fetched, label }: SlideProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide is a group within the carousel
    <div
      role="group"
      aria-roledescription="slide"
      aria-label={label}
      inert={!active}
      className={`absolute inset-0 transition-opacity duration-500 ${GROUND[slide.color]} ${active ? "opacity-100" : "opacity-0"}`}
    >
      {fetched && <HeroPicture color={slide.color} alt={slide.alt} urgent={first} />}
      <div className="absolute inset-x-0 bottom-0 h-2/3 bg-linear-to-t from-ink/85 via-ink/55 to-transparent md:h-1/3 md:from-ink/60 md:via-ink/25" />
      {/* As high from the start as its whole text: it is placed by its lower edge, and would move up while the text arrives. */}
      <div className="page absolute inset-x-0 bottom-36 pb-18 text-paper md:bottom-auto md:top-1/2 md:-translate-y-1/2">
        <p
          className={`display whitespace-pre-line text-[clamp(1.75rem,9vw,2.75rem)] md:text-[clamp(2.5rem,4vw,4.5rem)] ${heightOf(slide)}`}
        >
          {slide.line}
        </p>
        <ButtonLink to="/shop" className="absolute bottom-0 bg-paper! text-ink! hover:bg-linen!">
          Shop Now
        </ButtonLink>
      </div>
    </div>
  );
}
