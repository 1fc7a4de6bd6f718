import type { OutgoingHttpHeaders } from "node:http";
import type { Encoding } from "../encoding.server.ts";

export type Body = { bytes: Buffer<ArrayBuffer>; headers: OutgoingHttpHeaders };
export type Page = {
  status: number;
  headers: Record<string, string>;
  /**
   * The page's text, until there is a body from which it can be restored: beside the body, it would take most of the
   * memory.
   */
  html?: Buffer<ArrayBuffer>;
  hash: string;
  bodies: Map<Encoding, Body>;
  /** The version of the catalogue that it was rendered from. */
  version: number;
};

/**
 * In bytes: what a page takes beside its content, for its key, headers and entry. Strangers can request any number of
 * pages with hardly any content.
 */
const BESIDES = 4096;

/** Pages by key, limited in their total bytes: the least recently used page is dropped first. */
export class PageStore {
  readonly #pages = new Map<string, Page>(); // the least recently used comes first
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The page, if it was rendered from this version or a later one. */
  find(key: string, version: number): Page | undefined {
    const page = this.#pages.get(key);
    if (!page || page.version < version) return;
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page;
  }

  keep(key: string, page: Page): void {
    this.#drop(key);
    this.#pages.set(key, page);
    this.#grow(sizeOf(page));
  }

  /** Keeps a body with its page, in place of the page's text. */
  keepBody(key: string, page: Page, encoding: Encoding, body: Body): void {
    if (page.bodies.has(encoding)) return; // another request was faster
    const before = sizeOf(page);
    page.bodies.set(encoding, body);
    page.html = undefined;
    if (this.#pages.get(key) === page) this.#grow(sizeOf(page) - before);
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    for (const key of this.#pages.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    const page = this.#pages.get(key);
    if (!page) return;
    this.#pages.delete(key);
    this.#bytes -= sizeOf(page);
  }
}

function sizeOf({ html, bodies }: Page): number {
  return [...bodies.values()].reduce((sum, { bytes }) => sum + bytes.length, BESIDES + (html?.length ?? 0));
}
