import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import PostalMime from "postal-mime";
import { vi } from "vitest";

/** Waits for the newest mail to this address whose subject fits, and reads it as its reader would. */
export function mailTo(
  dataDir: string,
  recipient: string,
  subject: RegExp,
): Promise<{ subject: string; text: string }> {
  return vi.waitFor(
    async () => {
      const outbox = path.join(dataDir, "outbox");
      const names = existsSync(outbox)
        ? readdirSync(outbox)
            .filter((name) => name.endsWith(".eml"))
            .sort()
            .reverse()
        : [];
      for (const name of names) {
        const mail = await PostalMime.parse(readFileSync(path.join(outbox, name)));
        if (mail.to?.[0]?.address === recipient && subject.test(mail.subject ?? ""))
          return { subject: mail.subject ?? "", text: mail.text ?? "" };
      }
      throw new Error(`No mail to ${recipient} with a subject like ${subject}`);
    },
    { timeout: 30_000, interval: 100 },
  );
}

export function linkIn(text: string, part: string): string {
  const link = text.match(/https?:\/\/[^\s<>"')\]]+/g)?.find((url) => url.includes(part));
  if (!link) throw new Error(`No link with ${part} in: ${text}`);
  return link;
}
