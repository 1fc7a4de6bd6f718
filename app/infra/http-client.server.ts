const SECOND = 1000;
const MB = 1024 * 1024;

export type HttpReply =
  | { reached: true; status: number; headers: Headers; text: string }
  /** No whole answer: out of reach, too slow or too long. Whether the other side acted is unknown. */
  | { reached: false; reason: string };

export type HttpOptions = {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  timeout?: number;
  maxBytes?: number;
};

/** Asks another server: bounded in time (ms, the whole exchange) and size, and redirects are answers, never followed. */
export async function request(
  url: string,
  { method = "GET", headers, body, timeout = 10 * SECOND, maxBytes = MB }: HttpOptions = {},
): Promise<HttpReply> {
  try {
    const signal = AbortSignal.timeout(timeout);
    const response = await fetch(url, { method, headers, body, redirect: "manual", signal });
    const text = await readAtMost(response, maxBytes);
    if (text === undefined) return { reached: false, reason: `more than ${maxBytes} bytes` };
    return { reached: true, status: response.status, headers: response.headers, text };
  } catch (error) {
    return { reached: false, reason: reasonOf(error) };
  }
}

async function readAtMost(response: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** fetch says only "fetch failed"; its cause says why. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === "TimeoutError") return "timed out";
  return cause instanceof Error ? cause.message || cause.name : message;
}
