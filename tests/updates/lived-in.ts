import sharp from "sharp";
import { endPayment, LAGOS, newCustomer, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { paidAt, type RunningShop } from "#tests/support/running-shop.ts";
import { commandIn } from "#tests/support/shop-command.ts";

/** What a shop of any version is given to do before it is updated. */
export type LivedIn = { email: string; sold: string; sent: string; refunded: string; returned: string | undefined };

const PIECE = { productId: "rings-tee", id: "rings-tee", size: "M", quantity: "1", color: "" };

/**
 * Orders that are paid, sent, refunded and open, and where the version knows returns, one with a picture: all through
 * its own doors.
 */
export async function liveIn(shop: RunningShop, checkout: string, settings: Record<string, string>): Promise<LivedIn> {
  const email = "ada@example.com";
  const shopper = await newCustomer(shop, email);
  const say = async (...words: string[]) => {
    const { code, said } = await commandIn(
      checkout,
      { ...settings, ...paidAt(shop.sandboxUrl), LOG_LEVEL: "silent" },
      words,
    );
    return code === 0 ? undefined : `${words.join(" ")}: ${said}`;
  };
  /** The first that the version knows. */
  const must = async (...ways: string[][]) => {
    const refusals: (string | undefined)[] = [];
    for (const words of ways) {
      const refusal = await say(...words);
      if (!refusal) return;
      refusals.push(refusal);
    }
    throw new Error(refusals.join("\n"));
  };
  const sold = await buy(shopper);
  const sent = await buy(shopper);
  const refunded = await buy(shopper);
  await must(["orders", "fulfil", sent, "--yes"], ["orders", "fulfil", sent, "GIG-4711"]);
  await must(["orders", "refund", refunded, "--yes"], ["orders", "refund", refunded]);
  const isDelivered = !(await say("orders", "deliver", sent, "--yes"));
  const returned = isDelivered ? await sendBack(shopper, sent) : undefined;
  await addPiece(shopper);
  await pressPay(shopper); // stays open
  await addPiece(shopper);
  return { email, sold, sent, refunded, returned };
}

async function addPiece(shopper: Visitor): Promise<void> {
  await shopper.post("/Cart", { intent: "add", ...PIECE });
}

/** The reference of a payment that has become an order. */
export async function buy(shopper: Visitor): Promise<string> {
  await addPiece(shopper);
  const paying = await pressPay(shopper, LAGOS);
  const reference = await endPayment(paying.headers.get("location") ?? "", "success");
  await shopper.get(`/checkout/return?reference=${reference}`);
  const page = await (await shopper.get(`/order/${reference}`)).text();
  if (!reference || !page.includes(reference)) throw new Error(`The payment ${reference} has come to no order`);
  return reference;
}

async function sendBack(shopper: Visitor, reference: string): Promise<string> {
  const piece = { [`quantity:${PIECE.id}:${PIECE.size}`]: "1", reason: "damaged", wish: "money", words: "It is torn" };
  const asked = await shopper.post(`/order/${reference}/return`, piece);
  const number = new URL(asked.headers.get("location") ?? "", "http://shop").hash.slice(1);
  const picture = new FormData();
  const noise = { width: 64, height: 64, channels: 3, background: "#884422" } as const;
  const jpeg = await sharp({ create: noise }).jpeg().toBuffer();
  picture.set("number", number);
  picture.set("picture", new File([new Uint8Array(jpeg)], "torn.jpg", { type: "image/jpeg" }));
  const { status } = await shopper.post(`/order/${reference}/pictures`, picture);
  if (status !== 303) throw new Error(`The picture of ${number} was answered with ${status}`);
  return number;
}
