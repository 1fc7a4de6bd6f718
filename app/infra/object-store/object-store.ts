/**
 * Files by their names (`a.jpg`, `a/480.webp`). Each call is safe to repeat, and throws a Problem where a bucket does
 * not answer in time or refuses.
 */
export type ObjectStore = {
  /** Undefined if there is no file of this name. */
  read(name: string): Promise<Buffer<ArrayBuffer> | undefined>;
  /** A reader sees the whole file or none. */
  write(name: string, bytes: Buffer): Promise<void>;
  /** Does nothing if there is no file of this name. */
  remove(name: string): Promise<void>;
  /** All names; with "top" only the names without a slash. */
  list(which: "top" | "all"): AsyncIterable<string>;
};
