import { cpus } from "node:os";
import { type Figure, load } from "./measure.ts";
import { PAGES } from "./pages.ts";
import { withShop } from "./shop.ts";

/**
 * Measures renderings with one web process per core and with a single one. The router's own parameter `_routes` gives
 * the same page, but not from the cache.
 */
export async function render(): Promise<Figure[]> {
  return [...(await rendered("a process a core", cpus().length)), ...(await rendered("one process", 1))];
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
          { name: `${name}: rendered, ${how}`, value: perSecond, unit: "/s", bar: { min: 400 } },
          { name: `${name}: failed, ${how}`, value: failed, unit: "", bar: { max: 0 } },
        );
      }
      return figures;
    },
    { WEB_CONCURRENCY: String(processes) },
  );
}
