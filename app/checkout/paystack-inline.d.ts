declare module "@paystack/inline-js" {
  /** Only what the shop uses; the library ships no types. */
  export default class PaystackPop {
    checkoutIframe: HTMLIFrameElement;
    resumeTransaction(
      accessCode: string,
      callbacks: {
        onSuccess(answer: { reference: string }): void;
        onCancel(): void;
        onLoad(): void;
        onError(error: { message: string }): void;
      },
    ): unknown;
    cancelTransaction(): void;
  }
}
