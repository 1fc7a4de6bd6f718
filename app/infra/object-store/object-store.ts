/**
 * Files by their names (`a.jpg`, `a/480.webp`). Each call is safe to repeat, and throws a Problem where a bucket does
 * not answer in time or refuses.
 */
export type ObjectStore = {
  /** undefined where there is none of this name. */
  read(name: string): Promise<Buffer<ArrayBuffer> | undefined>;
  /** A reader sees the whole file or none. */
  write(name: string, bytes: Buffer): Promise<void>;
  /** Does nothing where there is none. */
  remove(name: string): Promise<void>;
  /** All names; with "top" only those without a slash. */
  list(which: "top" | "all"): AsyncIterable<string>;
};
