import type { Wallet } from "#app/payment-provider/in-browser.ts";
import { deviceHasWallet } from "#app/paystack/wallet.browser.ts";
import { WalletButton } from "#app/paystack/wallet-button.tsx";

/** The wallet that each provider can charge, by the provider's id. */
export const WALLETS: Partial<Record<string, Wallet>> = {
  paystack: { isOnDevice: deviceHasWallet, Button: WalletButton },
};
