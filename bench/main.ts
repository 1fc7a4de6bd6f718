import { against } from "./against.ts";
import { busyPages } from "./busy-pages.ts";
import { cart } from "./cart.ts";
import { change } from "./change.ts";
import { checkout, reservations } from "./checkout.ts";
import { crowd } from "./crowd.ts";
import { drop } from "./drop.ts";
import { busyness, keep, print, type Recorded } from "./figures.ts";
import { firstView } from "./first-view.ts";
import { growth } from "./growth.ts";
import { lighthouse } from "./lighthouse.ts";
import { live } from "./live.ts";
import { login } from "./login.ts";
import type { Figure } from "./measure.ts";
import { offers } from "./offers.ts";
import { office } from "./office.ts";
import { officeTasks } from "./office-tasks.ts";
import { pages } from "./pages.ts";
import { priceChange } from "./price-change.ts";
import { render } from "./render.ts";
import { sales } from "./sales.ts";
import { storage } from "./storage.ts";
import { tasks } from "./tasks.ts";

/** The parts of the benchmark: npm run bench -- NAME ... runs some of them, --record keeps the figures. */
const parts: Record<string, () => Promise<Figure[]>> = {
  pages,
  "busy-pages": busyPages,
  change,
  render,
  cart,
  offers,
  reservations,
  checkout,
  "price-change": priceChange,
  storage,
  drop,
  "first-view": firstView,
  lighthouse,
  tasks,
  growth,
  sales,
  office,
  "office-tasks": officeTasks,
  live,
  login,
  crowd,
};

export async function bench(words: string[]): Promise<number> {
  if (words[0] === "against") return against(words.slice(1));
  const names = words.filter((word) => !word.startsWith("--"));
  const unknown = words.filter((word) => !(word in parts || word === "--record"));
  if (unknown.length > 0) {
    process.stderr.write(`There is no ${unknown.join(", ")}. There are: ${Object.keys(parts).join(" ")} --record\n`);
    return 2;
  }
  const results: Recorded = {};
  for (const [name, part] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const on = busyness();
    results[name] = { on, figures: await part() };
    print(name, results[name].figures);
  }
  keep(results, words.includes("--record"));
  return 0;
}
