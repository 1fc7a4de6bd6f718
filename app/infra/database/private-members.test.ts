import { Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";

// The shop uses undocumented members of pg. If an update of pg renames one of them, a test here fails and names it.

const { url } = useDatabase({ max: 1 });
let client: pg.Client & { connection?: { stream?: unknown }; pipeline?: unknown; getTransactionStatus?: unknown };
beforeAll(async () => {
  client = new pg.Client({ connectionString: url(), pipeline: true } as pg.ClientConfig);
  await client.connect();
});
afterAll(() => client.end());

test("51 pg: connection.stream is the socket that cork, uncork and destroy are called on", () => {
  expect(client.connection?.stream).toBeInstanceOf(Socket);
});

test("51 pg: with the setting `pipeline`, a statement is sent before the previous one has its response", async () => {
  expect(client.pipeline).toBe(true);
  const writes: string[] = [];
  const stream = client.connection?.stream as Socket;
  const write = stream.write.bind(stream);
  stream.write = ((chunk: Buffer, ...rest: []) => {
    writes.push(chunk.toString("latin1"));
    return write(chunk, ...rest);
  }) as typeof stream.write;
  const answers = [client.query("select 1 as first"), client.query("select 2 as second")];
  const sent = writes.join("");
  Object.assign(stream, { write });
  await Promise.all(answers);
  expect(sent).toContain("select 1 as first");
  expect(sent).toContain("select 2 as second");
});

test("51 pg: getTransactionStatus tells whether a transaction is open", async () => {
  const status = () => (client.getTransactionStatus as () => unknown).call(client);
  expect(status()).toBe("I");
  await client.query("begin");
  expect(status()).toBe("T");
  await client.query("rollback");
});
