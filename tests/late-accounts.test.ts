vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomBytes, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { accountOf } from "#app/account/google/sign-in.server.ts";
import { verifyEmail } from "#app/account/link/verify.server.ts";
import { resetPassword, sendResetLink } from "#app/account/password/reset.server.ts";
import { register } from "#app/account/registration.server.ts";
import { importUser, readUserDocument } from "#app/customer-data/user-import.server.ts";
import { changeAddress } from "#app/owner/orders/address.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { cookieOf } from "#tests/support/session.ts";
import { lagosForm, makeProduct, type Shopper } from "#tests/support/shop.ts";
import { shopPages } from "#tests/support/shop-pages.ts";
import { paidByHand, staffOrder } from "#tests/support/staff-order.ts";

// Orders that staff put together, which are paid by hand before their customer has an account.

const { db, url, salesOf } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });
const BROWSER = randomBytes(32);

let productId: string;
let email: string;

beforeEach(async () => {
  productId = await makeProduct(db(), { M: 80 });
  email = `late-${randomUUID()}@example.com`;
});

/** An order for the address, which staff have typed in capitals. */
const ordered = () => staffOrder(db(), { email: email.toUpperCase() }, productId);

/** The number of an order that was paid in cash, and the reference of its sale. */
async function sold(): Promise<{ number: string; reference: string }> {
  const order = await ordered();
  return { number: order.number, reference: await paidByHand(db(), order) };
}

/** Registers the address. Nobody has followed the mail's link yet. */
async function registered(): Promise<Shopper> {
  const done = await register(db(), { firstName: "Ada", lastName: "Obi", email, password: "harmony" }, BROWSER);
  if (!done.ok) throw new Error(`${email} has an account`);
  return { id: done.userId, email, emailVerified: false };
}

/** The code in the link of the address's mail of this kind. */
async function codeIn(kind: "verify-email" | "reset-password"): Promise<string> {
  const mail = db().selectFrom("outbox").select("data").where("recipient", "=", email).where("kind", "=", kind);
  return new URL(String((await mail.executeTakeFirstOrThrow()).data.url)).searchParams.get("oobCode") ?? "";
}

const confirm = async () => verifyEmail(db(), await codeIn("verify-email"), { browser: BROWSER });
const comeByGoogle = () => accountOf(db(), { subject: `google ${email}`, email, name: "Ada Obi" });

async function account(): Promise<Shopper> {
  const user = db().selectFrom("users").select(["id", "email", "emailVerified"]).where("email", "=", email);
  return user.executeTakeFirstOrThrow();
}

const ask = shopPages(shop);
const page = async (path: string, user: Shopper) => ask(path, { as: await cookieOf(user) });

const imported = ({ verified }: { verified: boolean }) =>
  db()
    .transaction()
    .execute((trx) => importUser(trx, readUserDocument({ email, firstName: "Ada", lastName: "Obi", verified })));

const WAYS: Record<string, () => Promise<unknown>> = {
  "the link of a registration": async () => {
    await registered();
    await confirm();
  },
  "the link for a new password": async () => {
    await registered();
    await sendResetLink(db(), email, randomUUID());
    await resetPassword(db(), await codeIn("reset-password"), "melodious");
  },
  "Google, to an account that nobody had confirmed": async () => {
    await registered();
    await comeByGoogle();
  },
  "Google, without an account": comeByGoogle,
  "an import of a verified customer": () => imported({ verified: true }),
};

test.each(Object.entries(WAYS))(
  "an address that is proved by %s gets its paid orders: in the history, and from their emails",
  async (_, prove) => {
    const { number, reference } = await sold();
    const unpaid = await ordered();
    await prove();
    const user = await account();
    const history = await page("/account", user);
    expect(history.text).toContain(`Order ${number}`);
    expect(history.text).not.toContain(unpaid.number);
    const order = await page(`/order/${reference}`, user);
    expect([order.status, order.text]).toEqual([200, expect.stringContaining(`Order ${number}`)]);
    expect(await salesOf(user)).toHaveLength(1);
  },
);

test("an account that has not proved the address, or has proved another one, sees nothing of them", async () => {
  const { number, reference } = await sold();
  const unproved = await registered();
  const other = await accountOf(db(), { subject: randomUUID(), email: `other-${email}`, name: "Eve Obi" });
  for (const user of [unproved, other]) {
    expect((await page("/account", user)).text).not.toContain(number);
    expect((await page(`/order/${reference}`, user)).text).not.toContain(number);
    expect(await salesOf(user)).toEqual([]);
  }
});

test("an import of an unverified customer claims nothing", async () => {
  const { number } = await sold();
  await imported({ verified: false });
  expect((await page("/account", await account())).text).not.toContain(number);
});

describe("an order whose email address staff correct", () => {
  const wrong = () => `wrong-${email}`;

  /** An order that was paid in cash, under the wrong address, which is corrected then. */
  async function corrected(): Promise<void> {
    const order = await staffOrder(db(), { email: wrong() }, productId);
    const reference = await paidByHand(db(), order);
    const form = new URLSearchParams({ ...lagosForm, email: email.toUpperCase() });
    expect(await changeAddress(db(), OWNER, reference, form)).toMatchObject({ ok: true });
  }

  test("goes to who proves the right one, and not to who proves the wrong one", async () => {
    await corrected();
    const other = await accountOf(db(), { subject: randomUUID(), email: wrong(), name: "Eve Obi" });
    expect(await salesOf(other)).toEqual([]);
    await comeByGoogle();
    expect(await salesOf(await account())).toHaveLength(1);
  });

  test("goes to the account that has proved it already", async () => {
    await comeByGoogle();
    await corrected();
    expect(await salesOf(await account())).toHaveLength(1);
  });

  test("stays with the address that it was put together for where only its street is corrected", async () => {
    const { reference } = await sold(); // for another address than the form's
    const form = new URLSearchParams({ ...lagosForm, address: "7 Allen Avenue" });
    expect(await changeAddress(db(), OWNER, reference, form)).toMatchObject({ ok: true });
    await comeByGoogle();
    expect(await salesOf(await account())).toHaveLength(1);
  });

  test("stays in the account that it is in", async () => {
    const owner = await accountOf(db(), { subject: randomUUID(), email: wrong(), name: "Ada Obi" });
    await comeByGoogle();
    await corrected();
    expect(await salesOf(owner)).toHaveLength(1);
    expect(await salesOf(await account())).toEqual([]);
  });

  test("goes to an address that is proved meanwhile", async () => {
    for (let round = 0; round < 6; round++) {
      email = `late-${randomUUID()}@example.com`;
      const user = await registered();
      await Promise.all([corrected(), confirm()]);
      expect(await salesOf(user)).toHaveLength(1);
    }
  });
});

test("an address that is proved while its order is recorded as paid gets the order", async () => {
  for (let round = 0; round < 6; round++) {
    email = `late-${randomUUID()}@example.com`;
    const order = await ordered();
    const user = await registered();
    await Promise.all([paidByHand(db(), order), confirm()]);
    expect(await salesOf(user)).toHaveLength(1);
  }
});
