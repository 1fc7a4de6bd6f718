import type autocannon from "autocannon";
import { type Figure, load, round } from "./measure.ts";
import { type BenchShop, withShop } from "./shop.ts";

const SIZES = [24, 10_000, 100_000];
/** Addresses that bypass the page cache: with `_routes`, a parameter of the router, a page is not cached. */
const ASKED = {
  "shop page": "/shop?_routes",
  search: "/shop?q=harmattan&_routes",
  product: "/singleProduct/unity-home-jersey?_routes",
};

let asked = 0;
/** A new address for each request, since searches are limited per network. */
const EACH_FROM_ELSEWHERE = [
  {
    setupRequest: (request: autocannon.Request) => ({
      ...request,
      headers: { ...request.headers, "x-forwarded-for": `10.0.${(asked++ >> 8) & 255}.${asked & 255}` },
    }),
  },
];

/** A page without products: it shows how fast the machine is at the moment. */
const YARDSTICK = "/about?_routes";

/**
 * Measures what a rendering costs in a small, a large and a very large shop, each time beside the yardstick page, since
 * the speed of machines changes by the minute.
 */
export function growth(): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      const middle = async (path: string) => {
        await load(shop.url + path, { seconds: 2, connections: 4, requests: EACH_FROM_ELSEWHERE });
        const { p50, failed } = await load(shop.url + path, {
          seconds: 3,
          connections: 4,
          requests: EACH_FROM_ELSEWHERE,
        });
        if (failed > 0) throw new Error(`${path} failed ${failed} times`);
        return p50;
      };
      const times = new Map<string, { time: number; yardsticks: number }[]>();
      for (const size of SIZES) {
        await growTo(shop, size);
        for (const [name, path] of Object.entries(ASKED)) {
          const yardstick = await middle(YARDSTICK);
          const time = await middle(path);
          times.set(name, [...(times.get(name) ?? []), { time, yardsticks: time / yardstick }]);
        }
      }
      return [...times].flatMap(([name, [small, large, huge]]) => {
        const against = (other?: typeof small) =>
          round((other?.yardsticks ?? Number.NaN) / (small?.yardsticks ?? Number.NaN));
        return [
          { name: `${name}: 24 products`, value: small?.time ?? Number.NaN, unit: "ms" },
          { name: `${name}: 10,000 against 24`, value: against(large), unit: "x", bar: { max: 2 } },
          { name: `${name}: 100,000 against 24`, value: against(huge), unit: "x", bar: { max: 2 } },
        ];
      });
    },
    { TRUSTED_PROXIES: "127.0.0.1" },
  );
}

async function growTo({ sql }: BenchShop, size: number): Promise<void> {
  const words = "array['Coral','Tide','Anchor','Lantern','Velvet','Marble','Comet','Willow','Ember','Quartz']";
  const wordSql = (n: string) => `(${words})[1 + (${n}) % 10]`;
  await sql(
    `insert into products (id, title, color, price_cents, images, position)
     select 'grown-' || n, ${wordSql("n / 7")} || ' ' || ${wordSql("n / 91")} || ' Top ' || n, 'Green', 2000 + n % 7000,
       (select images from products where id = 'unity-home-jersey'), 1000 + n
     from generate_series((select count(*) from products) + 1, $1::int) n`,
    [size],
  );
  await sql(
    `insert into product_sizes (product_id, size, supplied)
     select p.id, s, 20 from products p, unnest('{S,M,L,XL,XXL}'::text[]) s
     where p.id like 'grown-%' and not exists (select from product_sizes o where o.product_id = p.id)`,
  );
  await sql("vacuum analyze products, product_sizes");
}
