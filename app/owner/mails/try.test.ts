import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { useDatabase } from "#tests/support/database.ts";

const { db } = useDatabase();
const taken: Email[] = [];
let isOpen = true;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onMailFrom: (_, __, done) => done(isOpen ? undefined : new Error("The quota of this account is used up")),
  async onData(stream, _, done) {
    taken.push(await PostalMime.parse(await text(stream)));
    done(null, "OK, queued as 4711");
  },
});
let command: typeof import("#tests/support/command.ts")["command"];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("SMTP_URL", `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
  vi.resetModules();
  ({ command } = await import("#tests/support/command.ts"));
});
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

test("48 a test mail is sent at once, and returns the mail server's response", async () => {
  const tried = () => command(db(), ["mails", "try", "Ada@Example.com"]);
  expect(await tried()).toMatchObject({ code: 0, text: expect.stringContaining("OK, queued as 4711") });
  expect(taken).toMatchObject([{ to: [{ address: "ada@example.com" }] }]);
  isOpen = false;
  expect(await tried()).toMatchObject({
    code: 1,
    text: expect.stringContaining("The quota of this account is used up"),
  });
  expect(await command(db(), ["mails", "try", "ada"])).toMatchObject({ code: 2 });
});
