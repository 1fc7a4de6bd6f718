import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { publicPage } from "#app/public-pages.ts";
import { loader } from "#app/routes/api.products.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const db = () => database.db();

type Answer = { status: number; ids: string[]; next?: string };

async function ask(path: string): Promise<Answer> {
  const url = new URL(path, "http://shop.example");
  const request = new Request(new URL(publicPage(`${url.pathname}${url.search}`) ?? "", url));
  const answer = await loader({ request });
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("Link") ?? "") ?? [];
  const ids = answer.ok ? ((await answer.json()) as { id: string }[]).map(({ id }) => id) : [];
  return { status: answer.status, ids, next };
}

async function walk(): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let path: string | undefined = "/api/products"; path; path = pages.at(-1)?.next) pages.push(await ask(path));
  return pages;
}

const fill = (products: number) =>
  sql`
    with made as (
      insert into products (id, title, color, price_cents, position, hidden)
      select 'p' || n, 'Tee', 'Red', 1500, n / 3, n = 7 from generate_series(1, ${products}::int) n returning id
    ) insert into product_sizes (product_id, size, supplied) select id, 'M', 3 from made`.execute(db());

beforeAll(() => fill(201)); // one of these is hidden

test("200 products are one array, without a link", async () => {
  const [page, ...more] = await walk();
  expect([page?.ids.length, page?.next, more]).toEqual([200, undefined, []]);
});

test("more than 200 come in pages with a link to the next, each product once", async () => {
  await sql`delete from products`.execute(db());
  await fill(451);
  const pages = await walk();
  expect(pages.map(({ ids }) => ids.length)).toEqual([200, 200, 50]);
  const ids = pages.flatMap((page) => page.ids);
  expect(new Set(ids).size).toBe(450);
  expect(ids).not.toContain("p7");
});

test("a product that is deleted between two pages makes no other one missing", async () => {
  const [first] = await walk();
  const last = first?.ids.at(-1) ?? "";
  await db().deleteFrom("products").where("id", "=", last).execute();
  const { ids } = await ask(first?.next ?? "");
  expect([ids.length, first?.ids.includes(ids[0] ?? "")]).toEqual([200, false]);
});

test.each(["?after=", "?after=x", "?after=1.%00", "?after=99999999999999999999.p1"])(
  "%s is no place to read on from",
  async (query) => {
    expect((await ask(`/api/products${query}`)).status).toBe(400);
  },
);
