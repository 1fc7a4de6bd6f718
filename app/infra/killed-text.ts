/** An addition to messages about a process that was ended by `signal`. The shop itself never sends SIGKILL. */
export function killedText(signal: string | null): string {
  return signal === "SIGKILL" ? ": it was killed (SIGKILL), most likely since the machine has too little memory" : "";
}
