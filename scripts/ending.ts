const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * `signal` is aborted once this process must end: on SIGINT, SIGTERM or SIGHUP, or when the parent process has ended.
 * `forget` restores Node's own handling of these.
 */
export function askedToEnd(): { signal: AbortSignal; forget(): void } {
  const asked = new AbortController();
  const end = () => asked.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  if (process.channel) process.on("disconnect", end);
  else if (process.env.IREPO_CHANNEL) end(); // the parent ended before this line
  return {
    signal: asked.signal,
    forget() {
      for (const event of [...SIGNALS, "disconnect"]) process.off(event, end);
    },
  };
}
