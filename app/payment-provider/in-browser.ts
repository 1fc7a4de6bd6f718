import type { ComponentType } from "react";
import type { Kobo } from "#app/money/money.ts";

// A provider's code in the shopper's browser. Each outcome is a hint, never proof: the server asks the provider. A
// shopper who pays through a provider without such code is sent to the payment's `authorizationUrl`.

export type BrowserSettings = {
  /** The origin of the popup's frame. */
  checkoutUrl: string;
  /** Whether devices with a wallet are shown its button. */
  takesWallet: boolean;
};

export type PopupOutcome = "success" | "closed" | "error" | "timeout";
export type PopupOpening = {
  accessCode: string;
  reference: string;
  checkoutUrl: string;
  /** Called when the library has been loaded: if it returns false, nothing opens, as if the popup had been closed. */
  isWanted?(): boolean;
  /** Called when the popup begins to cover the page; until then the library is still loading. */
  onOpen?(): void;
  loadWithin?: number;
};
export type OpenPopup = (opening: PopupOpening) => Promise<PopupOutcome>;

export type WalletPressOutcome = "success" | "failed";
/** "none": no wallet can pay this. "broken": the check for a wallet failed. */
export type WalletOutcome = WalletPressOutcome | "none" | "broken";
export type WalletButtonProps = {
  accessCode: string;
  checkoutUrl: string;
  kobo: Kobo;
  hidden: boolean;
  onOutcome(outcome: WalletOutcome): void;
};
export type Wallet = { isOnDevice(): boolean; Button: ComponentType<WalletButtonProps> };
