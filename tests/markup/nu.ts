import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const JAR = createRequire(import.meta.url).resolve("vnu-jar/build/dist/vnu.jar");
const MB = 1024 * 1024;

/** Whether Java is installed: the checker is a Java program, and Debian's `default-jre-headless` runs it. */
export const hasJava = spawnSync("java", ["-version"], { stdio: "ignore" }).status === 0;

const said = z.object({
  messages: z.array(
    z.object({ url: z.string(), type: z.string(), message: z.string(), extract: z.string().optional() }),
  ),
});

export type Complaint = { name: string; message: string; extract: string };

/** The complaints of the Nu HTML checker about these pages. */
export async function complaintsAbout(pages: { name: string; html: string }[]): Promise<Complaint[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-nu-"));
  try {
    for (const [at, { html }] of pages.entries()) writeFileSync(path.join(folder, `${at}.html`), html);
    const words = [
      "-XX:TieredStopAtLevel=1",
      "-Xss2m",
      "-jar",
      JAR,
      "--format",
      "json",
      "--stdout",
      "--exit-zero-always",
      folder,
    ];
    const { stdout } = await promisify(execFile)("java", words, { maxBuffer: 64 * MB });
    return said.parse(JSON.parse(stdout)).messages.map(({ url, message, extract = "" }) => ({
      name: pages[Number(path.basename(url, ".html"))]?.name ?? url,
      message,
      extract,
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
