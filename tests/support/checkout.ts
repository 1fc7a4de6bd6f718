import { sql } from "kysely";
import { afterEach, beforeAll, expect } from "vitest";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import type { RefundWish } from "#app/orders/refund-plan.ts";
import type { LedgerEntry } from "#app/owner/faults/ledger.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { proposeRefund, refundAgreed } from "#app/owner/orders/refunds/refunds.server.ts";
import type { OrderRequest } from "#app/payments/add-order.server.ts";
import type { NotStarted, OpenedPayment } from "#app/payments/outcomes.ts";
import { reconcile } from "#app/payments/reconcile.server.ts";
import { startPayment } from "#app/payments/start.server.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { PICK_UP, type ShippingForm } from "#app/shipping/shipping.ts";
import { useDatabase } from "./database.ts";
import { useProvider } from "./provider.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper, toLagos } from "./shop.ts";

/** Requests a refund and confirms it at once, like an owner. */
export function refundWished(
  on: Db | Transaction,
  reference: string,
  wish: RefundWish = {},
): Promise<Done | undefined> {
  return retryingTransaction(on, async (trx) => {
    const proposal = await proposeRefund(trx, reference, wish);
    return proposal?.ok ? refundAgreed(trx, reference, wish, proposal.kobo) : proposal;
  });
}

type Settings = { max?: number; connectTimeout?: number; otherLedger?(): LedgerEntry[] };

/**
 * A shop to buy from, and a provider that the test controls. After each test, stock, money and orders must agree.
 * `otherLedger` has the payments of another provider.
 */
export function useCheckout({ otherLedger = () => [], ...settings }: Settings = {}) {
  const database = useDatabase(settings);
  const provider = useProvider();
  const db = () => database.db();

  beforeAll(() => seedShipping(db()));
  afterEach(async () => {
    const broken = await checkInvariants(db(), [...provider.ledger(), ...otherLedger()]);
    expect(broken.filter(({ rule }) => rule !== "I13")).toEqual([]); // I13: tests check the issues themselves
  });

  const orderBy = (user: Shopper): OrderRequest => ({ user, form: lagosForm, destination: toLagos, currency: "NGN" });

  const pay = (user: Shopper, change: Partial<OrderRequest> = {}): Promise<OpenedPayment | NotStarted> =>
    startPayment(db(), { ...orderBy(user), ...change });

  async function open(user: Shopper, change: Partial<OrderRequest> = {}): Promise<OpenedPayment> {
    const opened = await pay(user, change);
    if (!opened.ok) throw new Error(opened.problem);
    return opened;
  }

  /** A shopper with one M of a product in the cart, the product with `stock` pieces, and the payment. */
  async function oneBuyer(stock = 1): Promise<{ productId: string; user: Shopper; payment: OpenedPayment }> {
    const productId = await makeProduct(db(), { M: stock });
    const user = await makeShopper(db(), { productId, size: "M" });
    return { productId, user, payment: await open(user) };
  }

  /** Opens the payment for an order that is picked up in Surulere. */
  async function openPickUp(): Promise<OpenedPayment> {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    const form: ShippingForm = {
      ...lagosForm,
      deliveryType: PICK_UP,
      address: "",
      state: "",
      pickupCenter: "Surulere",
    };
    return open(user, { form, destination: { kind: "pickup", center: "Surulere" } });
  }

  const kinds = async (rows: Promise<{ kind: string }[]>) => (await rows).map(({ kind }) => kind).sort();

  return {
    db,
    url: () => database.url(),
    provider,
    pay,
    open,
    oneBuyer,
    openPickUp,

    stockOf: (productId: string) =>
      db()
        .selectFrom("productSizes")
        .select(["sold", "reserved", "onHand"])
        .where("productId", "=", productId)
        .orderBy("size")
        .executeTakeFirstOrThrow(),
    salesOf: ({ id }: Shopper) => db().selectFrom("sales").selectAll().where("userId", "=", id).execute(),
    cartOf: ({ id }: Shopper) =>
      db().selectFrom("cartLines").select(["productId", "size", "quantity"]).where("userId", "=", id).execute(),
    statesOf: async ({ id }: Shopper) => {
      const rows = await db()
        .selectFrom("orders")
        .select("state")
        .where("userId", "=", id)
        .orderBy("createdAt")
        .execute();
      return rows.map(({ state }) => state);
    },
    refundOf: (reference: string) =>
      db().selectFrom("refunds").selectAll().where("reference", "=", reference).executeTakeFirst(),
    refundsOf: (reference: string) =>
      db().selectFrom("refunds").selectAll().where("reference", "=", reference).orderBy("createdAt").execute(),
    mailsAbout: (reference: string) =>
      kinds(
        db().selectFrom("outbox").select("kind").where(sql<boolean>`data ->> 'reference' = ${reference}`).execute(),
      ),
    issuesOf: (reference: string) =>
      kinds(db().selectFrom("paymentIssues").select("kind").where("reference", "=", reference).execute()),
    openIssuesOf: (reference: string) => {
      const issues = db().selectFrom("paymentIssues").select("kind").where("reference", "=", reference);
      return kinds(issues.where("resolvedAt", "is", null).execute());
    },

    // Time passes by moving stored times into the past.
    expire: (orderId: string, by = "1 second") =>
      db()
        .updateTable("orders")
        .set({ expiresAt: sql`now() - ${by}::interval` })
        .where("id", "=", orderId)
        .execute(),
    /** Makes what is scheduled for a payment due now. */
    catchUp: async (reference: string) => {
      await db()
        .updateTable("payments")
        .set({ nextCheckAt: sql`now()` })
        .where("reference", "=", reference)
        .where("nextCheckAt", "is not", null)
        .execute();
      await db().updateTable("refunds").set({ nextTryAt: sql`now()` }).where("reference", "=", reference).execute();
      while (await reconcile(db()));
    },
  };
}
