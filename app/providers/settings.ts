import * as paystack from "#app/paystack/settings.ts";

// The settings of all providers, for app/infra/env.server.ts.

const ALL = [paystack];
export const shape = { ...paystack.shape };
export const examples = { ...paystack.examples };
export const KEYS = ALL.flatMap((one) => one.KEYS);
export const TOGETHER = ALL.flatMap((one) => one.TOGETHER);
export const ADDRESSES = ALL.flatMap((one) => one.ADDRESSES);

type Given = Parameters<typeof paystack.isLive>[0];

export const hasKeys = (s: Given) => ALL.some((one) => one.hasKeys(s));
export const isLive = (s: Given) => ALL.some((one) => one.isLive(s));
export const contradictions = (s: Given) => ALL.flatMap((one) => one.contradictions(s));

/** The values of each provider's settings, and what pages may load of each. */
export function valuesOf(s: Given, sandbox: string) {
  const values = { paystack: paystack.valuesOf(s, sandbox) };
  return { ...values, providerHosts: [paystack.hostsOf(values.paystack)] };
}
