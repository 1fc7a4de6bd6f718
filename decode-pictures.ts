import type { Decoded, ToDecode } from "#app/catalog/pictures/decoder.server.ts";
import { encodeAnew, TOOK_TOO_LONG } from "#app/catalog/pictures/foreign.server.ts";

// A separate program that decodes strangers' pictures. It gets no secret, and ends when a picture takes more CPU time
// than is allowed: the library's own time limit does not stop a decoder that is running. The program also ends when its
// parent process does.

const LOOK_EVERY = 50; // ms

process.on("disconnect", () => process.exit());
process.on("message", async ({ bytes, recipe, processorMs }: ToDecode) => {
  const before = process.cpuUsage();
  const usedMs = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const endIfTooLong = () => {
    if (usedMs() > processorMs) process.exit(TOOK_TOO_LONG);
  };
  const watch = setInterval(endIfTooLong, LOOK_EVERY);
  const made = await encodeAnew(bytes, recipe);
  clearInterval(watch);
  endIfTooLong();
  const told: Decoded = { ...made, usedMs: usedMs() };
  process.send?.(told);
});
