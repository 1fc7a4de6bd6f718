import { createServer } from "node:http";
import { text } from "node:stream/consumers";

// The yardstick: a bare HTTP server. It reads {headers, body in base64} from standard input, prints its port, and
// answers every request with these bytes.
const { headers, body } = JSON.parse(await text(process.stdin)) as { headers: Record<string, string>; body: string };
const bytes = Buffer.from(body, "base64");
const server = createServer((_, response) => response.writeHead(200, headers).end(bytes));
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as { port: number }).port}\n`));
