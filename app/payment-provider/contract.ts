/**
 * What the shop asks of a payment provider. Sums are in the currency's minor unit (kobo for NGN). Nothing throws: what went wrong is answered as a
 * `Failure`, and after "unavailable" the provider may have acted all the same.
 */
export type PaymentProvider = {
  /** Opens a transaction. The reference works once: a second time is "duplicate-reference", so asking again opens no second one. */
  open(payment: PaymentRequest): Promise<Answer<{ accessCode: string; authorizationUrl: string }>>;
  /** What became of a transaction: the only word that money is recorded on. Safe to repeat. */
  verify(reference: string): Promise<Answer<{ transaction: ProviderTransaction }>>;
  /** What was charged since then, in pages from 1 on; `more` says whether another follows. */
  listCharges(since: Date, page: number): Promise<Answer<{ transactions: ProviderTransaction[]; more: boolean }>>;
  /** Asks for money of a transaction to go back; without `kobo` all of it. Not safe to repeat: list first. */
  refund(reference: string, refund: { kobo?: number; note: string }): Promise<Answer<{ refund: ProviderRefund }>>;
  /** All refunds of a transaction, by its id at the provider. */
  listRefunds(transactionId: string): Promise<Answer<{ refunds: ProviderRefund[] }>>;
  /** What was asked for since then to go back, whoever did, in pages from 1 on. */
  listRefundsSince(since: Date, page: number): Promise<Answer<{ refunds: ProviderRefund[]; more: boolean }>>;
  /** Whether the provider signed exactly these bytes. */
  isSigned(body: Uint8Array, signature: string | undefined): boolean;
  /** What a webhook tells; undefined where it cannot be read. */
  readEvent(body: string): ProviderEvent | undefined;
};

/** Why the provider did not do as asked. */
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
  /** As the provider's list of customers shows them. */
  customer: { firstName: string; lastName: string; phone: string };
  /** The page on which the shopper pays, at its full length. */
  referrer: string;
  /** Where the provider's own page sends the shopper: after paying, and after giving up. */
  callbackUrl: string;
  cancelUrl: string;
  /** What the shop's dashboard at the provider shows beside the payment. */
  customFields: { label: string; name: string; value: string }[];
};

export type ProviderTransaction = {
  id: string;
  reference: string;
  /** A state that the shop does not know is "pending": the money may still come. */
  state: "paid" | "unpaid" | "pending" | "reversed";
  /** The state in the provider's own word, for the record. */
  status: string;
  mode: "live" | "test" | "other";
  currency: string;
  amount: number;
  /** Without the fees that the payer may have been charged on top. */
  requestedAmount: number | null;
  /** What the provider keeps of it, where it says so. */
  fees?: number | null;
  paidAt: string | null;
};

export type ProviderRefund = {
  id: string;
  /** "pending" is everything that has not ended. */
  status: "pending" | "processed" | "failed" | "needs-attention";
  /** Absent where the provider does not say it. */
  amount?: number;
  /** What whoever asked for it wrote beside it. */
  note?: string;
  transactionId?: string;
};

export type ProviderEvent = {
  name: string;
  about: "paid" | "payment" | "refund" | "dispute" | "other";
  reference: string | undefined;
};
