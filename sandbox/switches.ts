/** How the whole provider behaves, until a test says otherwise. */
export type Switches = {
  /** The provider has been seen to answer both when asked for a reference that it does not know. */
  verifyUnknownStatus: 400 | 404;
  /** Calls a minute for one key; null: as many as are made. */
  rateLimit: number | null;
  /** The merchant's secret key and the OpenID client's secret in the place of those of the start, which are refused from then on; null: no others. */
  secretKey: string | null;
  openIdSecret: string | null;
};

export const AT_FIRST: Switches = { verifyUnknownStatus: 404, rateLimit: null, secretKey: null, openIdSecret: null };
