vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomBytes } from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import { SESSION_COOKIE } from "#app/account/session/cookies.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);
const NOTICE = "Closed from 24 to 26 December";
let cookie: string;
let product: string;

beforeAll(async () => {
  await db().insertInto("shopSettings").values({ notice: NOTICE, noticeShown: true }).execute();
  product = await makeProduct(db(), { M: 3 });
  const { id } = await makeShopper(db(), { productId: product, size: "M" });
  const token = randomBytes(32).toString("base64url");
  await db()
    .insertInto("sessions")
    .values({ tokenHash: secretHash(token), userId: id, device: "A phone" })
    .execute();
  cookie = `${SESSION_COOKIE}=${token}`;
});

const html = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(`http://127.0.0.1:${shop().port}${path}`, { headers: { host: "localhost", ...headers } })).text();

test.each(["/", "/shop", "/about", "/login", "/no-such-page", "/Cart", "/checkout"])(
  "40 the owner's notice stands above %s, for guests and for whoever has logged in",
  async (path) => {
    for (const headers of [undefined, { cookie }]) {
      const [above = ""] = (await html(path, headers)).split("<h1");
      expect(above).toContain(NOTICE);
    }
  },
);

test("40 the owner's notice stands above a product", async () => {
  expect(await html(`/singleProduct/${product}`)).toContain(NOTICE);
});

test("40 a change of it by the owner stands above the next page of whoever has logged in", async () => {
  const by = { name: "bisi@example.com", door: "office" } as const;
  for (const notice of ["Open again from 27 December", "Sale", ""]) {
    const { notice: before } = await shopValues(db());
    expect(await changeShop(db(), by, { notice }, { notice: before })).toMatchObject({ ok: true });
    const [above = ""] = (await html("/account", { cookie })).split("<h1");
    if (notice) expect(above).toContain(notice);
    else expect(above).not.toContain("Sale");
  }
});

test("the number in the cart's link is that of the account's cart now", async () => {
  for (const quantity of [1, 3]) {
    await db().updateTable("cartLines").set({ quantity }).execute();
    expect(JSON.parse(await html("/api/me", { cookie }))).toMatchObject({ cartCount: quantity });
    expect(await html("/account", { cookie })).toContain(`CART (${quantity})`);
  }
});
