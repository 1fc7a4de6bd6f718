import http from "node:http";
import https from "node:https";

const SECOND = 1000;
const MB = 1024 * 1024;

export type HttpReply =
  | { reached: true; status: number; text: string }
  /** No whole answer: out of reach, too slow or too long. Whether the other side acted is unknown. */
  | { reached: false; reason: string };

export type HttpOptions = {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  timeout?: number;
  maxBytes?: number;
};

const agents = { "http:": new http.Agent({ keepAlive: true }), "https:": new https.Agent({ keepAlive: true }) };

/**
 * Asks another server: bounded in time (ms, the whole exchange) and size, and redirects are answers, never followed. Node's own client, since
 * fetch takes twice the processor.
 */
export async function request(
  url: string,
  { method = "GET", headers, body, timeout = 10 * SECOND, maxBytes = MB }: HttpOptions = {},
): Promise<HttpReply> {
  try {
    const signal = AbortSignal.timeout(timeout);
    const response = await send(url, { method, headers, signal }, body);
    const text = await readAtMost(response, maxBytes);
    if (text === undefined) return { reached: false, reason: `more than ${maxBytes} bytes` };
    return { reached: true, status: response.statusCode ?? 0, text };
  } catch (error) {
    return { reached: false, reason: reasonOf(error) };
  }
}

function send(url: string, options: http.RequestOptions, body = ""): Promise<http.IncomingMessage> {
  const { protocol } = new URL(url);
  const [{ request }, agent] = protocol === "https:" ? [https, agents["https:"]] : [http, agents["http:"]];
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent }, resolve)
      .on("error", reject)
      .end(body);
  });
}

async function readAtMost(response: http.IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxBytes) return;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function reasonOf(error: unknown): string {
  const { name, message, code, cause } = error as NodeJS.ErrnoException;
  if (name === "AbortError") return (cause as Error | undefined)?.name === "TimeoutError" ? "timed out" : message;
  return message || code || name;
}
