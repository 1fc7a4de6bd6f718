import type { BrowserSettings } from "./in-browser.ts";

/** The description of a provider, for pages, documents, the office and the policies. */
export type ProviderDescription = {
  /** The value of `payments.provider`. */
  id: string;
  /** The name that shoppers and staff read, also `paymentMethod` in the document of a sale. */
  name: string;
  /** The means of payment, as the checkout's button names it. */
  paidWith: string;
  /** Where staff look a payment up and can act on it, such as the provider's dashboard. */
  records: string;
  /**
   * Whether the provider is another company, which learns who pays, can move money by itself, and has records to
   * compare.
   */
  isOutside: boolean;
  /** Where the provider sends its webhooks, and the header with their signature. */
  webhook?: { path: string; signatureHeader: string };
};

/**
 * What the shop needs from a payment provider. Sums are in the currency's minor unit (kobo for NGN). Nothing throws: an
 * error is returned as a `Failure`. After "unavailable", the provider may still have carried out the request.
 */
export type PaymentProvider = {
  description: ProviderDescription;
  /**
   * Whether the provider moves real money with the present settings. Each payment stores the mode in which it was made.
   */
  mode(): "test" | "live";
  /**
   * Opens a transaction. A reference works once: a second call returns "duplicate-reference", so a retry opens no
   * second transaction.
   */
  open(payment: PaymentRequest): Promise<Answer<{ accessCode: string; authorizationUrl: string }>>;
  /** The state of a transaction. Money is recorded from this source alone. Safe to repeat. */
  verify(reference: string): Promise<Answer<{ transaction: ProviderTransaction }>>;
  /** Requests a refund of a transaction; of all of it without `kobo`. Not safe to repeat: list the refunds first. */
  refund(reference: string, refund: { kobo?: number; note: string }): Promise<Answer<{ refund: ProviderRefund }>>;
  /** All refunds of a transaction, by its id at the provider. */
  listRefunds(transactionId: string): Promise<Answer<{ refunds: ProviderRefund[] }>>;
  /**
   * The provider's own records, for a review that compares them with the shop's. Absent if the provider has none, as
   * for cash.
   */
  records?: {
    /** Successful charges from `since` on. Pages are counted from 1; `more` says whether another page follows. */
    listCharges(since: Date, page: number): Promise<Answer<{ transactions: ProviderTransaction[]; more: boolean }>>;
    /**
     * Refunds requested from `since` on, by anybody. Pages are counted from 1; `more` says whether another page
     * follows.
     */
    listRefundsSince(since: Date, page: number): Promise<Answer<{ refunds: ProviderRefund[]; more: boolean }>>;
  };
  /** Reads what arrives at `description.webhook`. */
  webhook?: {
    /** Whether the provider signed exactly these bytes. */
    isSigned(body: Uint8Array, signature: string | undefined): boolean;
    /** The event in a webhook's body; undefined if the body cannot be read. */
    readEvent(body: string): ProviderEvent | undefined;
  };
  /** The settings of its code in the shopper's browser (in-browser.ts), if it has any. */
  inBrowser?(): BrowserSettings;
};

/** Why the provider did not carry out a request. */
export type Failure = {
  ok: false;
  failure:
    | "rejected"
    | "email-refused"
    | "duplicate-reference"
    | "not-found"
    | "fully-refunded"
    | "auth"
    | "rate-limited"
    | "unavailable";
  message: string;
};
export type Answer<T> = ({ ok: true } & T) | Failure;

export type PaymentRequest = {
  email: string;
  kobo: number;
  reference: string;
  /** The customer as shown in the provider's list of customers; absent if the payer's name is not known. */
  customer?: { firstName: string; lastName: string; phone: string };
  /** The full URL of the page on which the shopper pays. */
  referrer: string;
  /** Where the provider's own page sends the shopper: after paying, and after giving up. */
  callbackUrl: string;
  cancelUrl: string;
  /** The fields that the shop's dashboard at the provider shows beside the payment. */
  customFields: { label: string; name: string; value: string }[];
};

export type ProviderTransaction = {
  id: string;
  reference: string;
  /** A state that the shop does not know is "pending": the money may still come. */
  state: "paid" | "unpaid" | "pending" | "reversed";
  /** The state in the provider's own word, stored for reference. */
  status: string;
  mode: "live" | "test" | "other";
  currency: string;
  amount: number;
  /** The amount without the fees that the payer may have been charged on top. */
  requestedAmount: number | null;
  /** The provider's fees, if it states them. */
  fees?: number | null;
  paidAt: string | null;
  /**
   * Why the last attempt to pay was refused, in the bank's words, and how many attempts there were; absent if none was
   * refused, or no reason is given.
   */
  refusal?: { words: string; attempt: number };
};

export type ProviderRefund = {
  id: string;
  /** Every state that is not final counts as "pending". */
  status: "pending" | "processed" | "failed" | "needs-attention";
  /** Absent where the provider does not say it. */
  amount?: number;
  /** The note that was given with the request. */
  note?: string;
  transactionId?: string;
};

export type ProviderEvent = {
  name: string;
  about: "paid" | "payment" | "refund" | "dispute" | "other";
  reference: string | undefined;
  /** The deadline for answering a dispute, if it is stated: an ISO 8601 time. */
  dueAt?: string;
};
