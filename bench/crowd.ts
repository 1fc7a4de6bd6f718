import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { pastSales } from "#tests/support/past-sales.ts";
import { pay } from "./checkout.ts";
import type { Attack, Attacked } from "./crowd-attack.ts";
import { ask, every, type Figure, get, runApart } from "./measure.ts";
import { addShoppers, type BenchShop, fillCarts, type Shopper, withShop } from "./shop.ts";

const PRODUCT = "unity-home-jersey";
const CONNECTIONS = 200;
/** Seconds that each load lasts: CROWD_SECONDS=6 for a quick look. */
const SECONDS = Number(process.env.CROWD_SECONDS ?? 30);
/** The pause between two requests of one observer, in ms. Checkouts are limited to 200 per address in ten minutes. */
const PAUSE = { other: 20, checkout: 400 };

type Load = Pick<Attack, "method" | "path" | "type" | "body" | "cookies">;

/**
 * Measures other visitors while 200 connections from one address load the shop. Some of these visitors come from
 * another address, some have an account and come from the same address; they look, fill carts and pay.
 */
export function crowd(): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      await shop.sql("update product_sizes set supplied = 1000000");
      await moreProducts(shop);
      const loads = await loadsOn(shop);
      const figures: Figure[] = [];
      let number = 0;
      for (const [name, load] of Object.entries(loads))
        for (const isFresh of [false, true])
          figures.push(
            ...(await under(shop, `${name}, ${isFresh ? "new" : "kept"} connections`, load, isFresh, ++number)),
          );
      return figures;
    },
    { TRUSTED_PROXIES: "127.0.0.1,::1" },
  );
}

/** The loads by name. The first one is undefined, without any load, for comparison. */
async function loadsOn(shop: BenchShop): Promise<Record<string, Load | undefined>> {
  const form = "application/x-www-form-urlencoded";
  const parts = "multipart/form-data; boundary=b";
  const { path, cookies } = await openReturn(shop);
  const part = '--b\r\nContent-Disposition: form-data; name="picture"; filename=""\r\n\r\n\r\n';
  return {
    nothing: undefined,
    searches: { method: "GET", path: "/shop?q=jersey%20{n}" },
    "page 99 of 1,000 products": { method: "GET", path: "/shop?page=99&max=1{n}" },
    "unknown products": { method: "GET", path: "/singleProduct/none-{n}" },
    "unknown addresses": { method: "GET", path: "/none/{n}" },
    "9,000 fields": { method: "POST", path: "/register", type: form, body: { text: "a=&", times: 9000 } },
    "empty parts": { method: "POST", path, cookies, type: parts, body: { text: part, times: 400_000 } },
    "a thousand scans": { method: "POST", path, cookies, type: parts, body: { base64: await manyScans(1000) } },
  };
}

async function under(
  shop: BenchShop,
  name: string,
  load: Load | undefined,
  isFresh: boolean,
  number: number,
): Promise<Figure[]> {
  const crowded = `203.0.113.${number}`;
  const elsewhere = `198.51.100.${number}`;
  const sending = { address: crowded, connections: CONNECTIONS, seconds: SECONDS, isFresh };
  const attack: Attack | undefined = load && { url: shop.url, ...sending, ...load };
  const [attacked, ...times] = await Promise.all([
    load && runApart<Attacked>("bench/crowd-attack.ts", attack),
    meanwhile(PAUSE.other, () => get(`${shop.url}/shop`, elsewhere)),
    meanwhile(PAUSE.other, () => get(`${shop.url}/healthz`, elsewhere)),
    ...(await buying(shop, elsewhere)),
    ...(await buying(shop, crowded)),
  ]);
  const names = [
    "a kept page",
    "/healthz",
    "cart",
    "checkout",
    "cart of the same address",
    "checkout of the same address",
  ];
  const rows = times.flatMap(({ p50, p99, failed }, index): Figure[] => [
    { name: `${name}: ${names[index]}, p50`, value: p50, unit: "ms" },
    { name: `${name}: ${names[index]}, p99`, value: p99, unit: "ms", bar: { max: index < 2 ? 300 : 1000 } },
    { name: `${name}: ${names[index]}, failed`, value: failed, unit: "", bar: { max: 0 } },
  ]);
  const { answered = 0, refused = 0, broken = 0 } = attacked ?? {};
  const sent: Figure[] = Object.entries({ answered, refused, broken }).map(([what, value]) => ({
    name: `${name}: ${what}`,
    value: Math.round(value / SECONDS),
    unit: "/s",
  }));
  return load ? [...rows, ...sent] : rows;
}

/** Signed-in shoppers who change their carts in turn: an account may change its cart 240 times a minute. */
const CHANGING = 10;

/** Measures signed-in shoppers' changes of their carts, and started payments, each of a new shopper. */
async function buying(shop: BenchShop, address: string) {
  const buyers = await addShoppers(shop, Math.ceil((SECONDS * 1000) / PAUSE.checkout) + CHANGING);
  await fillCarts(shop, buyers, PRODUCT);
  const changing = buyers.splice(0, CHANGING);
  const form = { intent: "set", id: PRODUCT, size: "M", quantity: "2" };
  let turn = 0;
  const change = async () => {
    const { cookie } = changing[turn++ % CHANGING] as Shopper;
    const { status } = await ask(`${shop.url}/Cart`, { cookie, address, form });
    if (status !== 303) throw new Error(`POST /Cart: ${status}`);
  };
  const next = () => pay(shop, { ...(buyers.pop() as Shopper), address });
  return [meanwhile(PAUSE.other, change), meanwhile(PAUSE.checkout, next)];
}

/** Repeats `work` while the load lasts: the load begins half a second earlier, and ends later. */
async function meanwhile(pause: number, work: () => Promise<unknown>) {
  await sleep(500);
  const ends = performance.now() + SECONDS * 1000 - 1000;
  return every(pause, () => performance.now() < ends, work);
}

async function moreProducts({ sql }: BenchShop): Promise<void> {
  await sql(
    `insert into products (id, title, color, price_cents, images)
     select 'bench-' || n, 'Bench Jersey ' || n, 'Green', 4999, (select images from products where id = '${PRODUCT}') from generate_series(1, 1000) n`,
  );
  await sql(
    "insert into product_sizes (product_id, size, supplied) select 'bench-' || n, 'M', 1000 from generate_series(1, 1000) n",
  );
  await sql("analyze");
}

/** A shopper with a return, who may send photographs of it. The shop reads only few an hour per account and network. */
async function openReturn(shop: BenchShop): Promise<{ path: string; cookies: string[] }> {
  const [sender] = await addShoppers(shop, 1);
  for (const statement of pastSales(1, 0)) await shop.sql(statement);
  const reference = "past-sale-0000000001";
  await shop.sql("update sales set user_id = $1, delivered_at = now() where reference = $2", [sender?.id, reference]);
  await shop.sql("insert into returns (reference, reason, wish) values ($1, 'damaged', 'money')", [reference]);
  return { path: `/order/${reference}/pictures`, cookies: [sender?.cookie ?? ""] };
}

/** A form with a JPEG whose last scan is repeated: 139 KB that take a decoder seconds. */
async function manyScans(scans: number): Promise<string> {
  const noise = { width: 2000, height: 2000, channels: 3, background: "#7a5" } as const;
  const picture = await sharp({ create: noise }).jpeg({ progressive: true }).toBuffer();
  const last = picture.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = picture.subarray(last, -2);
  const head =
    '--b\r\nContent-Disposition: form-data; name="picture"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n';
  const all = [
    Buffer.from(head),
    picture.subarray(0, last),
    ...Array(scans).fill(scan),
    picture.subarray(-2),
    Buffer.from("\r\n--b--\r\n"),
  ];
  return Buffer.concat(all).toString("base64");
}
