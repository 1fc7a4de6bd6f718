#!/usr/bin/env node
import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

// Debian's Firefox as Playwright starts it, with the words that it adds. Playwright speaks the WebDriver BiDi of the
// newest Firefox: a command that the one of long support has not learned yet is answered here. It sets the preferred
// colours, of which the shop has one set.

const FIREFOX = "/usr/bin/firefox-esr";
const UNKNOWN = "emulation.setMediaFeaturesOverride";
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;

const firefox = spawn(FIREFOX, process.argv.slice(2), { stdio: ["ignore", "inherit", "pipe"] });
firefox.once("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => firefox.kill(signal));
firefox.stderr.on("data", (chunk: Buffer) => {
  const [, url] = LISTENING.exec(String(chunk)) ?? [];
  if (url) standBefore(url);
  else process.stderr.write(chunk);
});

function standBefore(url: string): void {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.once("listening", () => {
    const { port } = server.address() as AddressInfo;
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`);
  });
  server.on("connection", (client, { url: path = "" }) => {
    const browser = new WebSocket(url + path);
    const opened = new Promise((resolve) => browser.once("open", resolve));
    client.on("message", async (data) => {
      const text = String(data);
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      await opened;
      if (method === UNKNOWN) client.send(JSON.stringify({ type: "success", id, result: {} }));
      else browser.send(text);
    });
    browser.on("message", (data) => client.send(String(data)));
    browser.once("close", () => client.close());
    client.once("close", () => browser.close());
  });
}
