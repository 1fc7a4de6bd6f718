import type { OutgoingHttpHeaders } from "node:http";
import type { Encoding } from "../encoding.server.ts";

export type Body = { bytes: Buffer<ArrayBuffer>; headers: OutgoingHttpHeaders };
export type Page = {
  status: number;
  headers: Record<string, string>;
  html: Buffer<ArrayBuffer>;
  hash: string;
  bodies: Map<Encoding, Body>;
  /** The version of the catalogue that it was rendered from. */
  version: number;
};

/** What a page takes beside its bytes: its name, headers and place. Strangers can ask for any number of pages that have next to none. */
const BESIDES = 4096;

/** Pages by name, at most so many bytes together: the one that was not asked for longest goes first. */
export class PageStore {
  readonly #pages = new Map<string, Page>(); // the least recently used comes first
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The page, where it was rendered from this version. */
  find(key: string, version: number): Page | undefined {
    const page = this.#pages.get(key);
    if (page?.version !== version) return;
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page;
  }

  keep(key: string, page: Page): void {
    this.#drop(key);
    this.#pages.set(key, page);
    this.#grow(sizeOf(page));
  }

  /** Keeps a compressed body with its page. */
  keepBody(key: string, page: Page, encoding: Encoding, body: Body): void {
    if (page.bodies.has(encoding)) return; // somebody was quicker
    page.bodies.set(encoding, body);
    if (this.#pages.get(key) === page && body.bytes !== page.html) this.#grow(body.bytes.length);
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

/** Uncompressed, a body is the page's own bytes. */
function sizeOf({ html, bodies }: Page): number {
  const compressed = [...bodies.values()].filter(({ bytes }) => bytes !== html);
  return compressed.reduce((sum, { bytes }) => sum + bytes.length, html.length + BESIDES);
}
