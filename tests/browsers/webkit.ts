import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Builder, type WebDriver } from "selenium-webdriver";
import { freePort } from "#tests/support/free-port.ts";
import { listening } from "#tests/support/pgbouncer.ts";

const DRIVER = "/usr/bin/WebKitWebDriver";
const SCREEN = "/usr/bin/Xvfb";
const [MINI_BROWSER = ""] = globSync("/usr/lib/*/webkit2gtk-4.1/MiniBrowser");

/** Debian's webkit2gtk-driver and xvfb; tests that need them are skipped where they are not installed. */
export const hasWebKit = Boolean(MINI_BROWSER) && existsSync(DRIVER) && existsSync(SCREEN);

export type WebKit = {
  /** A window of a profile of its own. */
  open(options?: { script?: boolean }): Promise<WebDriver>;
  /** What pages have written on their consoles. */
  said(): string[];
  close(): Promise<void>;
};

/** WebKit's own small browser, on a screen that nobody sees. One window at a time: the driver knows one session. */
export async function startWebKit(): Promise<WebKit> {
  const home = mkdtempSync(path.join(tmpdir(), "irepo-webkit-"));
  const screen = spawn(SCREEN, ["-displayfd", "1", "-screen", "0", "1440x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [display] = (await once(screen.stdout, "data")) as [Buffer];
  const port = await freePort();
  const driver = spawn(DRIVER, [`--port=${port}`], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      DISPLAY: `:${String(display).trim()}`,
      NO_AT_BRIDGE: "1", // no bus for screen readers
      LIBGL_ALWAYS_SOFTWARE: "1",
    },
  });
  let said = "";
  for (const stream of [driver.stdout, driver.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      said += chunk;
    });
  }
  await listening(port);
  return {
    open: ({ script = true } = {}) =>
      new Builder()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities({
          browserName: "MiniBrowser",
          "webkitgtk:browserOptions": {
            binary: MINI_BROWSER,
            args: [
              "--automation",
              "--enable-write-console-messages-to-stdout=true",
              ...(script ? [] : ["--enable-javascript=false"]),
            ],
          },
        })
        .build(),
    said: () => said.split("\n").filter((line) => line.startsWith("CONSOLE")),
    async close() {
      for (const child of [driver, screen]) {
        const gone = once(child, "exit");
        child.kill();
        await gone;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}
