import { cpus } from "node:os";
import { type Figure, load } from "./measure.ts";
import { PAGES } from "./pages.ts";
import { withShop } from "./shop.ts";

/** What one rendering costs, with as many web processes as cores and with one: with the router's own parameter the page is the same, but not one that is kept. */
export async function render(): Promise<Figure[]> {
  const all = await rendered("rendered", cpus().length);
  const one = await rendered("rendered by one process", 1);
  return [...all.map((figure) => (figure.unit ? { ...figure, bar: { min: 400 } } : figure)), ...one];
}

function rendered(how: string, processes: number): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      const figures: Figure[] = [];
      for (const [name, path] of Object.entries(PAGES)) {
        const url = `${shop.url}${path}?_routes`;
        await load(url, { seconds: 2 });
        const { perSecond, failed } = await load(url, { seconds: 4 });
        figures.push(
          { name: `${name}: ${how}`, value: perSecond, unit: "/s" },
          { name: `${name}: ${how}, failed`, value: failed, unit: "", bar: { max: 0 } },
        );
      }
      return figures;
    },
    { WEB_CONCURRENCY: String(processes) },
  );
}
