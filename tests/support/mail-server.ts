import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/**
 * A mail server on this machine that stores mails in the same place as the demo, so that `mailTo` reads both. With
 * `password`, the server requires it.
 */
export async function startMailServer(
  dataDir: string,
  password?: () => string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const outbox = path.join(dataDir, "outbox");
  mkdirSync(outbox, { recursive: true });
  let count = 0;
  const server = new SMTPServer({
    authOptional: !password,
    allowInsecureAuth: true,
    onAuth: (given, _, done) =>
      given.password === password?.() ? done(null, { user: given.username }) : done(new Error("Wrong password")),
    disabledCommands: ["STARTTLS"],
    async onData(stream, _, done) {
      const name = `${new Date().toISOString().replaceAll(":", "-")}-${++count}.eml`;
      writeFileSync(path.join(outbox, `.${name}`), await text(stream));
      renameSync(path.join(outbox, `.${name}`), path.join(outbox, name));
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
