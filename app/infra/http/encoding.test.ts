import { expect, test } from "vitest";
import { accepted, type Encoding } from "./encoding.server.ts";

test.each<[string | undefined, forMany: Encoding, forOne: Encoding]>([
  [undefined, "identity", "identity"],
  ["", "identity", "identity"],
  ["gzip, deflate, br, zstd", "br", "zstd"],
  ["gzip", "gzip", "gzip"],
  ["GZIP", "gzip", "gzip"],
  ["br;q=1.0, gzip;q=0.8", "br", "br"],
  ["br;q=0.1, gzip", "gzip", "gzip"],
  ["gzip;q=0.5 , br ; q=0.9", "br", "br"],
  ["gzip;q=1.0, br;q=1.0, zstd;q=1.0", "br", "zstd"],
  ["gzip, br;q=0, zstd;q=0.0", "gzip", "gzip"],
  ["gzip;q=0.001", "gzip", "gzip"],
  ["gzip;q=0", "identity", "identity"],
  ["gzip;q=much", "identity", "identity"],
  ["*", "br", "zstd"],
  ["*;q=0.5, gzip", "gzip", "gzip"],
  ["*, br;q=0, zstd;q=0", "gzip", "gzip"],
  ["*;q=0", "identity", "identity"],
  ["identity", "identity", "identity"],
  ["identity, gzip", "gzip", "gzip"],
  ["identity;q=0.9, gzip;q=0.5", "identity", "identity"],
  ["identity;q=0.5, gzip;q=0.9", "gzip", "gzip"],
  ["gzip;q=0.8, identity;q=0", "gzip", "gzip"],
  ["deflate, compress", "identity", "identity"],
])(
  "56 for Accept-Encoding “%s” a shared response is sent as %s, one for a visitor as %s",
  (header, forMany, forOne) => {
    for (let again = 0; again < 2; again++)
      expect([accepted(header, "many"), accepted(header, "one")]).toEqual([forMany, forOne]);
  },
);
