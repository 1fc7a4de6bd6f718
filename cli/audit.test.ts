import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { recordChange } from "#app/infra/audit.server.ts";
import { env } from "#app/infra/env.server.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { asked, delivered } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { sizeGuide } from "#tests/support/size-guides.ts";
import { byHandOf } from "#tests/support/staff-order.ts";
import { actions } from "./commands.ts";

const checkout = useCheckout();
const { db, oneBuyer, openPickUp, provider } = checkout;
const say = (...line: string[]) => command(db(), line);
const changes = () => db().selectFrom("auditLog").selectAll().orderBy("id").execute();

afterEach(async () => {
  env.live = false;
  await db().deleteFrom("liveShop").execute();
});

const WAY = { name: "Express", places: ["country NG"], dollars: 6.5, fromDays: 1, toDays: 2 };

const folder = mkdtempSync(path.join(tmpdir(), "irepo-audit-"));
function file(name: string, content: unknown): string {
  const at = path.join(folder, name);
  writeFileSync(at, JSON.stringify(content));
  return at;
}

async function sold(): Promise<string> {
  const { payment } = await oneBuyer(2);
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  return payment.reference;
}

/** The words that put an order together for a customer who has ordered before. */
async function newWords(): Promise<string[]> {
  const { productId, user } = await oneBuyer(8);
  return ["--for", user.email, "--piece", `${productId}:M:1`];
}

async function sent(): Promise<string> {
  const { data } = await say("orders", "new", ...(await newWords()));
  return (data as { reference: string }).reference;
}

/** The reference of a payment in cash. */
async function paidInCash(): Promise<string> {
  const reference = await sent();
  await say("orders", "paid", reference, "--by", "cash");
  return (await byHandOf(db(), reference))[0] ?? "";
}

async function invited(role: string): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  await say("staff", "invite", email, role);
  return email;
}

async function anOffer(...options: string[]): Promise<string> {
  const { data } = await say("offers", "add", "Ten percent", "--percent", "10", ...options);
  return String((data as { id: number }).id);
}

/**
 * For each action that changes something: prepares the shop, and returns arguments with which the action changes it.
 */
const WORDS: Record<string, () => Promise<string[]>> = {
  "collections remove": async () => {
    await say("collections", "set", file("collections.json", { id: "owambe", name: "Owambe" }));
    return ["owambe"];
  },
  "collections set": async () => [file("collections.json", { id: "lagos", name: "Lagos" })],
  "delivery-ways handover": async () => ["pick-up", "on"],
  "delivery-ways set": async () => [file("ways.json", { ...WAY, name: "Rider" })],
  "delivery-ways switch": async () => {
    await say("delivery-ways", "set", file("way.json", WAY));
    return ["Express", "on"];
  },
  "documents import": async () => {
    file("Subscription.json", [{ firstName: "Eze", email: "eze@example.com" }]);
    return [folder];
  },
  "customers delete": async () => [(await makeShopper(db())).email],
  "mails resend": async () => [],
  "offers add": async () => ["Two tees: 10% off", "--percent", "10"],
  "offers codes": async () => [await anOffer("--single-codes"), "3"],
  "offers end": async () => [await anOffer()],
  "offers pause": async () => [await anOffer()],
  "offers set": async () => [await anOffer(), "--percent", "15"],
  "offers resume": async () => {
    const id = await anOffer();
    await say("offers", "pause", id);
    return [id];
  },
  "orders cancel": async () => [await sold()],
  "orders change-size": async () => {
    const productId = await makeProduct(db(), { M: 1, L: 1 });
    const { reference } = await checkout.open(await makeShopper(db(), { productId, size: "M" }));
    provider.pay(reference);
    await settlePayment(reference);
    return [reference, `${productId}:M:1`, "L"];
  },
  "orders deliver": async () => {
    const reference = await sold();
    await say("orders", "fulfil", reference);
    return [reference];
  },
  "orders fulfil": async () => [await sold()],
  "orders given": async () => {
    const reference = await paidInCash();
    await say("orders", "cancel", reference);
    await checkout.catchUp(reference);
    return [reference];
  },
  "orders handover": async () => {
    await say("delivery-ways", "handover", "standard", "on");
    const reference = await sold();
    await say("orders", "fulfil", reference);
    return [reference];
  },
  "orders link": async () => [await sent()],
  "orders new": async () => await newWords(),
  "orders sell": async () => {
    const size = `${await makeProduct(db(), { M: 1 })}:M`;
    const agreed = ["--price", `${size}=35`, "--reason", "Radio winner"]; // offers of other rows leave it as it is
    return ["--at", "Yaba market", "--piece", `${size}:1`, ...agreed, "--by", "cash", "--amount", "56000"];
  },
  "orders pack": async () => [await sold()],
  "orders paid": async () => [await sent(), "--by", "transfer", "--reference", crypto.randomUUID()],
  "orders ready": async () => {
    const payment = await openPickUp();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    return [payment.reference];
  },
  "orders refund": async () => [await sold()],
  "orders return": async () => {
    const reference = await sold();
    await say("orders", "fulfil", reference);
    return [reference];
  },
  "orders resolve": async () => {
    const reference = await sold();
    await recordIssue(db(), reference, "reversed");
    return [reference];
  },
  "documents export": async () => [path.join(folder, "documents")],
  "customers export": async () => [],
  "go-live": async () => {
    env.live = true;
    return [];
  },
  "brand set": async () => ["--name", "Ada Threads"],
  "numbers set": async () => ["--return-days", "30"],
  "hero set": async () => [file("hero.json", [{ title: "Hello", ground: "green", alt: "A jersey" }])],
  "cash-rounding set": async () => ["none"],
  "lists set": async () => ["model"],
  "payer-links set": async () => ["yes"],
  "pictures move": async () => ["--to", path.join(folder, "pictures")],
  "products import": async () => [file("products.json", [{ id: "cap", title: "Cap", color: "Red", price: 12 }])],
  "push try": async () => [await invited("orders")],
  "rate hold": async () => [shopDay(-3)],
  "rate release": async () => {
    await say("rate", "hold", shopDay(-3));
    return [];
  },
  "rate set": async () => ["1650"],
  restore: async () => {
    const at = path.join(folder, "shop.backup");
    await sql`truncate users, orders, products cascade`.execute(db());
    provider.reset();
    await makeProduct(db(), { M: 1 });
    await say("backup", at);
    return [at];
  },
  "products copy": async () => [await makeProduct(db(), { M: 1 })],
  "products delete": async () => [await makeProduct(db(), { M: 1 })],
  "products hide": async () => [await makeProduct(db(), { M: 1 })],
  "products show": async () => {
    const id = await makeProduct(db(), { M: 1 });
    await say("products", "hide", id);
    return [id];
  },
  "redirects export": async () => [],
  "redirects import": async () => {
    const at = path.join(folder, "redirects.csv");
    writeFileSync(at, "/old,/about");
    return [at];
  },
  "redirects remove": async () => {
    await say("redirects", "set", "/gone", "/about");
    return ["/gone"];
  },
  "redirects set": async () => ["/pages/about-us", "/about"],
  "returns approve": async () => [await asked(db(), await delivered(checkout))],
  "returns decline": async () => [await asked(db(), await delivered(checkout)), "--message", "It was worn"],
  "returns exchange": async () => {
    const number = await asked(db(), await delivered(checkout), { newSize: "L" });
    await say("returns", "approve", number, "--keep");
    return [number];
  },
  "returns receive": async () => {
    const number = await asked(db(), await delivered(checkout));
    await say("returns", "approve", number);
    return [number];
  },
  "returns refund": async () => {
    const number = await asked(db(), await delivered(checkout));
    await say("returns", "approve", number, "--keep");
    return [number];
  },
  "sections reset": async () => {
    await say("sections", "set", file("other-sections.json", [{ kind: "slogan", title: "Sewn in Aba" }]));
    return [];
  },
  "queue on": async () => [await makeProduct(db(), { M: 3 }), "--pace", "30"],
  "queue off": async () => {
    const id = await makeProduct(db(), { M: 3 });
    await say("queue", "on", id);
    return [id];
  },
  "sections set": async () => [file("sections.json", [{ kind: "slogan", title: "Sewn in Lagos" }])],
  "shipping import": async () => [file("shipping.json", (await say("shipping", "export")).data)],
  "kinds remove": async () => {
    await say("kinds", "set", file("kind.json", { id: "caps", name: "Caps" }));
    return ["caps"];
  },
  "kinds set": async () => [file("kinds.json", { id: "socks", name: "Socks" })],
  "size-guides remove": async () => {
    await say("size-guides", "set", file("guide.json", { id: "tees", ...sizeGuide() }));
    return ["tees"];
  },
  "size-guides set": async () => [file("guides.json", { id: "caps", ...sizeGuide({ name: "Caps" }) })],
  "staff invite": async () => ["ada@example.com", "reader"],
  "staff remove": async () => [await invited("orders")],
  "staff role": async () => [await invited("orders"), "catalogue"],
  "prices sale": async () => [await makeProduct(db(), { M: 3 }), "--percent", "20"],
  "prices change": async () => [await makeProduct(db(), { M: 3 }), "--by", "10%"],
  "prices set": async () => [await makeProduct(db(), { M: 3 }), "59.99"],
  "prices end": async () => {
    const { data } = await say("prices", "sale", await makeProduct(db(), { M: 3 }), "--percent", "20", "--yes");
    return [(data as { id: string }).id];
  },
  "stock add": async () => [await makeProduct(db(), { M: 3 }), "M", "+5"],
  "stock set": async () => [await makeProduct(db(), { M: 3 }), "M", "5"],
  "subscribers export": async () => [],
  "words set": async () => ["about", file("about.txt", "Made in Lagos.")],
  "words publish": async () => {
    await say("words", "set", "about", file("about.txt", "Made in Aba."), "--at", "2126-12-01T09:00");
    return ["about"];
  },
  "takings count": async () => ["45000"],
  "words undo": async () => {
    await say("words", "set", "returns", file("returns.txt", "Unworn and unwashed."));
    return ["returns"];
  },
  "subscribers remove": async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await db().insertInto("subscriptions").values({ firstName: "Eze", email }).execute();
    return [email];
  },
};

const changing = Object.keys(actions).filter((name) => actions[name]?.changes);

test.each(changing)("%s adds a row with actor, action and subject", async (name) => {
  const words = await WORDS[name]?.();
  expect(words, "how it is called so that it changes something stands in this test").toBeDefined();
  const known = (await changes()).map((row) => JSON.stringify(row));
  expect(await say(...name.split(" "), ...(words ?? []), "--yes")).toMatchObject({ code: 0 });
  const added = (await changes()).filter((row) => !known.includes(JSON.stringify(row)));
  expect(added).toContainEqual(expect.objectContaining({ actor: OWNER.name, door: OWNER.door, action: name }));
});

test.each(Object.keys(WORDS))("%s is an action that changes something", (name) => {
  expect(changing).toContain(name);
});

test("rows cannot be changed or removed", async () => {
  const row = { by: OWNER, action: "rate set", subject: { kind: "rate", id: "x" } };
  await db()
    .transaction()
    .execute((trx) => recordChange(trx, row));
  await expect(db().updateTable("auditLog").set({ actor: "eve" }).execute()).rejects.toThrow("only ever added to");
  await expect(db().deleteFrom("auditLog").execute()).rejects.toThrow("only ever added to");
});

test("a refused change adds no row", async () => {
  const before = await changes();
  expect(await say("stock", "set", "no-such-thing", "M", "3")).toMatchObject({ code: 2 });
  expect(await say("orders", "fulfil", "f".repeat(32))).toMatchObject({ code: 2 });
  expect(await changes()).toEqual(before);
});

describe("audit list", () => {
  test("lists actor, action and both values, for a kind of subject or one subject", async () => {
    await sql`truncate exchange_rates, audit_log`.execute(db());
    await say("rate", "set", "1600");
    await say("rate", "set", "1650");
    const { data, text } = await say("audit", "list", "--subject", "rate:USD-NGN");
    expect(data).toMatchObject({
      total: 2,
      changes: [{ actor: "bola", action: "rate set", before: { rate: "1600" }, after: { rate: "1650" } }, {}],
    });
    expect(text).toContain("2 changes, page 1 of 1");
    expect((await say("audit", "list", "--subject", "product")).data).toMatchObject({ total: 0 });
    expect((await say("audit", "list", "--since", "2999-01-01")).data).toMatchObject({ total: 0 });
  });

  test.each([
    [["--since", "yesterday"]],
    [["--page", "0"]],
    [["--page", "99"]],
    [["--subject", "nonsense"]],
    [["--subject", "product:nonsense"]],
  ])("%j is bad input", async (words) => {
    expect(await say("audit", "list", ...words)).toMatchObject({ code: 2 });
  });
});
