import { z } from "zod";

// Read by app/infra/env.server.ts, through app/providers/settings.ts, before anything else. This file therefore imports
// nothing of the shop.

/** The ways to pay that the provider has for naira and that a page can offer. */
const CHANNELS = ["card", "bank", "bank_transfer", "ussd", "qr", "apple_pay"] as const;
const SANDBOX_SECRET_KEY = "sk_test_sandbox0000000000000000000000000000";
const SANDBOX_PUBLIC_KEY = "pk_test_sandbox0000000000000000000000000000";

const secretKey = z.string().regex(/^sk_(test|live)_/, "must start with sk_test_ or sk_live_");
const url = z.url({ protocol: /^https?$/, error: "must be a URL" });

export const shape = {
  PAYSTACK_SECRET_KEY: secretKey.optional(),
  PAYSTACK_PUBLIC_KEY: z
    .string()
    .regex(/^pk_(test|live)_/, "must start with pk_test_ or pk_live_")
    .optional(),
  PAYSTACK_PREVIOUS_SECRET_KEY: secretKey.optional(),
  PAYSTACK_API_URL: url.optional(),
  PAYSTACK_CHECKOUT_URL: url.optional(),
  PAYSTACK_CHANNELS: z
    .string()
    .transform((list) => list.split(",").map((part) => part.trim()))
    .pipe(z.array(z.enum(CHANNELS, `must be a list of ${CHANNELS.join(", ")}`)))
    .optional(),
  PAYSTACK_SPLIT_CODE: z
    .string()
    .regex(/^SPL_\w+$/, "must start with SPL_")
    .optional(),
  PAYSTACK_SUBACCOUNT: z
    .string()
    .regex(/^ACCT_\w+$/, "must start with ACCT_")
    .optional(),
};
type Name = keyof typeof shape;
type Given = z.infer<z.ZodObject<typeof shape>>;

export const examples: Record<Name, string> = {
  PAYSTACK_SECRET_KEY: "sk_test_0123456789abcdef",
  PAYSTACK_PUBLIC_KEY: "pk_test_0123456789abcdef",
  PAYSTACK_PREVIOUS_SECRET_KEY: "sk_test_0123456789abcdef",
  PAYSTACK_API_URL: "https://api.paystack.co",
  PAYSTACK_CHECKOUT_URL: "https://checkout.paystack.com",
  PAYSTACK_CHANNELS: "card,bank_transfer,ussd,bank",
  PAYSTACK_SPLIT_CODE: "SPL_98WF13Eb3w",
  PAYSTACK_SUBACCOUNT: "ACCT_8f4s1eq7ml6rlzj",
};

/** The settings that are keys, each with 40 random characters after its prefix. */
export const KEYS = ["PAYSTACK_SECRET_KEY", "PAYSTACK_PUBLIC_KEY", "PAYSTACK_PREVIOUS_SECRET_KEY"] as const;
/** The settings that are set together or not at all. */
export const TOGETHER = [["PAYSTACK_SECRET_KEY", "PAYSTACK_PUBLIC_KEY"]] as const;
/** The addresses that must be https with live keys. */
export const ADDRESSES = ["PAYSTACK_API_URL", "PAYSTACK_CHECKOUT_URL"] as const;

export const hasKeys = (s: Given) => s.PAYSTACK_SECRET_KEY !== undefined;
export const isLive = (s: Given) => s.PAYSTACK_SECRET_KEY?.startsWith("sk_live_") ?? false;

/** The settings that contradict others, each with a message. */
export function contradictions(s: Given): [Name, string][] {
  const found: [Name, string][] = [];
  if (s.PAYSTACK_SPLIT_CODE && s.PAYSTACK_SUBACCOUNT)
    found.push(["PAYSTACK_SUBACCOUNT", "cannot be set together with PAYSTACK_SPLIT_CODE"]);
  if (s.PAYSTACK_SECRET_KEY && s.PAYSTACK_PUBLIC_KEY && isLive(s) !== s.PAYSTACK_PUBLIC_KEY.startsWith("pk_live_"))
    found.push(["PAYSTACK_PUBLIC_KEY", "is of another mode (test or live) than PAYSTACK_SECRET_KEY"]);
  return found;
}

/** `sandbox`: the address of the payment sandbox, which takes the place of the provider while there are no keys. */
export function valuesOf(s: Given, sandbox: string) {
  const channels: readonly string[] = s.PAYSTACK_CHANNELS ?? ["card"];
  return {
    secretKey: s.PAYSTACK_SECRET_KEY ?? SANDBOX_SECRET_KEY,
    previousSecretKey: s.PAYSTACK_PREVIOUS_SECRET_KEY,
    publicKey: s.PAYSTACK_PUBLIC_KEY ?? SANDBOX_PUBLIC_KEY,
    apiUrl: s.PAYSTACK_API_URL ?? (hasKeys(s) ? "https://api.paystack.co" : sandbox),
    checkoutUrl: s.PAYSTACK_CHECKOUT_URL ?? (hasKeys(s) ? "https://checkout.paystack.com" : sandbox),
    /** The ways to pay that shoppers are offered. */
    channels,
    /** Whether devices with a wallet are shown its button. */
    wallet: channels.includes("apple_pay"),
    /** The code of the provider's rule that gives another account a share of each payment. */
    splitCode: s.PAYSTACK_SPLIT_CODE,
    subaccount: s.PAYSTACK_SUBACCOUNT,
  };
}

/**
 * What pages may load, besides files of the shop: the popup's frame, and the hosts that the wallet's button needs.
 * Every page allows them: after a client-side navigation to the checkout, the first page's policy still holds.
 */
export function hostsOf({ checkoutUrl, wallet }: ReturnType<typeof valuesOf>) {
  return {
    page: new URL(checkoutUrl).origin,
    scripts: wallet ? ["https://applepay.cdn-apple.com/jsapi/v1.1.0/apple-pay-sdk.js"] : [],
    connect: wallet ? ["https://api.paystack.co", "https://standard.paystack.co"] : [],
  };
}
