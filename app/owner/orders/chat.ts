import { type FulfilmentTimes, type Stage, stageOf } from "#app/orders/fulfilment/progress.ts";
import { isNigeria } from "#app/shipping/nigeria.ts";
import { isNigerianPhone, normalizeNigerianPhone } from "#app/shipping/phone.ts";

/** A WhatsApp chat with a shopper: its address, and the message that is written in it and not yet sent. */
export type Chat = { href: string; message: string };

/** The origin of the shop's pages, and its name. */
type ChatShop = { site: string; name: string };

type ChatOrder = FulfilmentTimes & {
  number: string;
  state: string;
  carrier: string | null;
  tracking: string | null;
  shipping: { firstName: string; phoneNumber: string; country: string; pickupCenter: string };
};

/**
 * The chat about an order as it stands. `parcelUrl`: the carrier's page about the parcel. Undefined without a number
 * that WhatsApp knows.
 */
export function chatAbout(order: ChatOrder, shop: ChatShop, parcelUrl?: string): Chat | undefined {
  const { number, state, shipping } = order;
  const hello = `Hello ${shipping.firstName}`.trim();
  const stage = stageOf(order);
  const parcel = stage === "sent" && parcelUrl ? ` Follow it at ${parcelUrl}` : "";
  const news = `your order ${number} ${NEWS[stage](order)}${parcel} You see it in your account: ${shop.site}/account`;
  const message = `${hello}, this is ${shop.name}, ${state === "sold" ? news : `about your order ${number}: `}`;
  const href = chatWith(shipping, message);
  return href === undefined ? undefined : { href, message };
}

/** The address of a chat with this message. Undefined without a number that WhatsApp knows. */
export function chatWith(whom: { phoneNumber: string; country: string }, message: string): string | undefined {
  const digits = internationalDigits(whom.phoneNumber, whom.country);
  return digits && `https://wa.me/${digits}?${new URLSearchParams({ text: message })}`;
}

const NEWS: Record<Stage, (order: ChatOrder) => string> = {
  paid: () => "is paid, and we’re packing it.",
  packed: () => "is packed.",
  sent: ({ carrier, tracking }) => {
    const parcel = [carrier && ` with ${carrier}`, tracking && `, tracking number ${tracking}`]
      .filter(Boolean)
      .join("");
    return `is on its way${parcel}.`;
  },
  ready: ({ shipping }) => `is ready for you at ${shipping.pickupCenter}.`,
  delivered: ({ shipping }) => `was ${shipping.pickupCenter ? "picked up" : "delivered"}. Is everything right with it?`,
  returned: () => "came back to us.",
};

/** The digits of a stored phone number with the country's code and without +. Undefined if it has none. */
function internationalDigits(phone: string, country: string): string | undefined {
  if (!isNigeria(country)) return /^\+(\d{7,15})/.exec(phone)?.[1];
  const local = normalizeNigerianPhone(phone);
  return isNigerianPhone(local) ? `234${local.slice(1)}` : undefined;
}
