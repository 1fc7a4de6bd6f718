import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip" | "identity";

const REFUSED = /;\s*q=0(\.0*)?\s*$/;

/** The best encoding that a visitor takes, by the header Accept-Encoding. */
export function accepted(header: string | null | undefined): Encoding {
  if (!header) return "identity";
  const taken = header
    .toLowerCase()
    .split(",")
    .filter((one) => !REFUSED.test(one))
    .map((one) => one.split(";")[0]?.trim());
  return taken.includes("br") ? "br" : taken.includes("gzip") ? "gzip" : "identity";
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const encoders: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => zip(bytes, { level: 6 }),
  identity: async (bytes) => bytes,
};

/** Quick rather than small: for what is made while somebody waits. */
export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoders[encoding](bytes);
}
