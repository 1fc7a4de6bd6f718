vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { describe, expect, test, vi } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { sheetWorks } from "../office/orders/sheet.server.ts";

const { db, provider, oneBuyer } = useCheckout();
const ask = useOfficePages();

async function soldNumber(): Promise<string> {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const row = db().selectFrom("orders").select("number").where("id", "=", payment.orderId);
  return (await row.executeTakeFirstOrThrow()).number;
}

describe("a sheet whose page was left is found again by whoever began it", () => {
  test("with what came of it", async () => {
    const [bisi, tunde] = [await staffWithPasskey(db(), "orders"), await staffWithPasskey(db(), "orders")];
    const rows = `${await soldNumber()}\tGIG\tGIG-1\nIR-0000-00`;
    const { status, location } = await ask("/orders/parcels", bisi.cookies, { intent: "mark", rows });
    expect([status, location]).toEqual([302, expect.stringMatching(/^\/orders\/parcels\/[0-9a-f-]+$/)]);
    await expect.poll(() => sheetWorks.find(bisi.id, location?.split("/").at(-1) ?? "")?.isDone).toBe(true);
    for (const path of ["/orders/parcels", "/orders"]) {
      const [own, other] = [await ask(path, bisi.cookies), await ask(path, tunde.cookies)];
      expect(own.text).toContain("1 marked as sent. Not marked: 1 row");
      expect(own.links).toContain(location);
      expect(other.links).not.toContain(location);
      expect(other.text).not.toContain("marked as sent.");
    }
  });

  test("while it runs, with how far it is; on the list of orders until a while after its end", async () => {
    const { id, cookies } = await staffWithPasskey(db(), "orders");
    const ended = Promise.withResolvers<void>();
    const row = { line: 1, text: "", hasEmail: true, ok: true, says: "sent off" };
    const work = await sheetWorks.begin(
      id,
      (onProgress) => {
        for (let line = 0; line < 32; line++) onProgress(line + 1, 50, { ...row, line });
        return ended.promise;
      },
      { patience: 0 },
    );
    for (const path of ["/orders/parcels", "/orders"]) {
      const { text, links } = await ask(path, cookies);
      expect(text).toContain("Marking 50 as sent: 32 done");
      expect(links).toContain(`/orders/parcels/${work}`);
    }
    ended.resolve();
    await expect.poll(() => sheetWorks.find(id, work)?.isDone).toBe(true);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    try {
      expect((await ask("/orders", cookies)).links).not.toContain(`/orders/parcels/${work}`);
      expect((await ask("/orders/parcels", cookies)).links).toContain(`/orders/parcels/${work}`);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("an import whose page was left is found again: the table that was read, and what was written of it", async () => {
  const [bisi, other] = [await staffWithPasskey(db(), "catalogue"), await staffWithPasskey(db(), "owner")];
  const rows = `id,title,price\n${crypto.randomUUID()},Jersey,40`;
  const { location: preview } = await ask("/products/import", bisi.cookies, { rows });
  const shown = async () => (await ask("/products/import", bisi.cookies)).text;
  await expect.poll(shown).toContain("A table has been read, but not imported yet");
  expect((await ask("/products/import", bisi.cookies)).links).toContain(preview);

  const { location: written } = await ask(preview ?? "", bisi.cookies, { intent: "import" });
  await expect.poll(shown).toContain("Imported: 1 new, 0 changed");
  for (const path of ["/products/import", "/products"]) {
    const { text, links } = await ask(path, bisi.cookies);
    expect(text).toContain("Imported: 1 new, 0 changed");
    expect(links).toContain(written);
    expect(links).not.toContain(preview);
    expect((await ask(path, other.cookies)).links).not.toContain(written);
  }
});
