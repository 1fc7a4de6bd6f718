import { type Figure, load } from "./measure.ts";
import { PAGES } from "./pages.ts";
import { withShop } from "./shop.ts";

/** What one rendering costs: with the router's own parameter the page is the same, but not one that is kept. */
export function render(): Promise<Figure[]> {
  return withShop(async (shop) => {
    const figures: Figure[] = [];
    for (const [name, path] of Object.entries(PAGES)) {
      const url = `${shop.url}${path}?_routes`;
      await load(url, { seconds: 2 });
      const { perSecond, failed } = await load(url, { seconds: 4 });
      figures.push(
        { name: `${name}: rendered`, value: perSecond, unit: "/s", bar: { min: 400 } },
        { name: `${name}: failed`, value: failed, unit: "", bar: { max: 0 } },
      );
    }
    return figures;
  });
}
