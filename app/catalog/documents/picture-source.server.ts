import { constants, open, realpath } from "node:fs/promises";
import path from "node:path";
import { type MayReach, requestBytes } from "#app/infra/http/client.server.ts";

const WAIT = 20_000; // ms, the timeout for fetching one picture
const LARGEST = 30 * 1024 * 1024;

/**
 * The bytes at an http: or https: URL that `mayReach` allows, or of a file in `folder`, if there is one. Throws an
 * error with the reason if that fails.
 */
export async function readSource(source: string, folder: string | undefined, mayReach: MayReach): Promise<Buffer> {
  if (/^https?:/i.test(source)) return readAddress(source, mayReach);
  if (folder === undefined) throw new Error("is no address that begins with https://");
  return readInside(folder, source);
}

async function readAddress(url: string, mayReach: MayReach): Promise<Buffer> {
  const reply = await requestBytes(url, { timeout: WAIT, maxBytes: LARGEST, mayReach });
  if (!reply.reached) throw new Error(`cannot be fetched: ${reply.reason}`);
  if (reply.status >= 300 && reply.status < 400)
    throw new Error("leads to another address, which must be named itself");
  if (reply.status !== 200) throw new Error(`answered with ${reply.status}`);
  return reply.bytes;
}

/**
 * Reads a file of the folder. Symbolic links are resolved first, so the real file must be inside. Opened non-blocking,
 * since opening a named pipe would block forever.
 */
async function readInside(folder: string, source: string): Promise<Buffer> {
  const [inside, file] = await Promise.all([realpath(folder), realpath(path.resolve(folder, source))]).catch(() => {
    throw new Error("is not in the folder of the import");
  });
  const way = path.relative(inside, file);
  if (way === ".." || way.startsWith(`..${path.sep}`)) throw new Error("lies outside the folder of the import");
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error("is no file");
    if (stats.size > LARGEST) throw new Error(`has more than ${LARGEST / 1024 / 1024} MB`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
