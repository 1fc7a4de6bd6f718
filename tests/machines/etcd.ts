import path from "node:path";
import { freePort } from "#tests/support/free-port.ts";
import { startProcess, statusOf, untilAnswered } from "./processes.ts";

export const ETCD = "/usr/bin/etcd";

/**
 * An etcd of one member, in which Patroni's nodes agree on the primary. To survive the loss of a machine, etcd needs
 * three members.
 */
export async function startEtcd(folder: string): Promise<{ port: number; stop(): Promise<void> }> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const logFile = path.join(folder, "etcd.log");
  const { kill } = startProcess(
    ETCD,
    [
      ["--name", "one"],
      ["--data-dir", path.join(folder, "etcd")],
      ["--listen-client-urls", clients, "--advertise-client-urls", clients],
      ["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers],
      ["--initial-cluster", `one=${peers}`],
    ].flat(),
    { logFile },
  );
  await untilAnswered(async () => (await statusOf(`${clients}/health`)) === 200, "etcd answers", { logFile });
  return { port, stop: kill };
}
