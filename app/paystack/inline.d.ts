declare module "@paystack/inline-js" {
  type Callbacks = {
    onSuccess(answer: { reference: string }): void;
    onCancel(): void;
    onError(error: { message: string }): void;
  };
  /** Only what the shop uses; the library ships no types. */
  export default class PaystackPop {
    checkoutIframe: HTMLIFrameElement;
    backgroundIframe: HTMLIFrameElement;
    resumeTransaction(accessCode: string, callbacks: Callbacks & { onLoad(): void }): unknown;
    /**
     * `container`: an element's id. Resolves when the wallet's button can be pressed, or when there is no wallet:
     * `onElementsMount` gets null then.
     */
    paymentRequest(
      request: Callbacks & {
        accessCode: string;
        container: string;
        styles: { applePay: Record<"width" | "height" | "borderRadius" | "padding", string> };
        onElementsMount(elements: { applePay: boolean } | null): void;
      },
    ): Promise<unknown>;
    cancelTransaction(): void;
  }
}
