/** How the whole provider behaves, until a test says otherwise. */
export type Switches = {
  /** The provider has been seen to answer both when asked for a reference that it does not know. */
  verifyUnknownStatus: 400 | 404;
  /** Calls a minute for one key; null: as many as are made. */
  rateLimit: number | null;
  /**
   * Replace the merchant's secret key and the OpenID client's secret given at the start, which are then refused; null:
   * unchanged.
   */
  secretKey: string | null;
  openIdSecret: string | null;
};

export const AT_FIRST: Switches = { verifyUnknownStatus: 404, rateLimit: null, secretKey: null, openIdSecret: null };
