import { afterEach, expect, test, vi } from "vitest";
import { chime } from "./chime.browser.ts";

afterEach(() => vi.unstubAllGlobals());

const played: [pitch: number, begin: number][] = [];
const { promise: isAllowed, resolve: allow } = Promise.withResolvers<void>();

class Context {
  currentTime = 4;
  #asked = 0;
  resume() {
    this.#asked++;
    if (this.#asked > 1) allow(); // the first time nobody has pressed anything
    return isAllowed;
  }
}
class Oscillator {
  #pitch: number;
  constructor(_: unknown, { frequency }: { frequency: number }) {
    this.#pitch = frequency;
  }
  connect = (next: unknown) => next;
  start = (at: number) => played.push([this.#pitch, at]);
  stop = () => undefined;
}
class Gain {
  gain = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
  connect = (next: unknown) => next;
}

test("one sound waits until a press allows it, and then plays two notes", async () => {
  const presses = new EventTarget();
  vi.stubGlobal("addEventListener", presses.addEventListener.bind(presses));
  vi.stubGlobal("removeEventListener", presses.removeEventListener.bind(presses));
  vi.stubGlobal("AudioContext", Context);
  vi.stubGlobal("OscillatorNode", Oscillator);
  vi.stubGlobal("GainNode", Gain);
  const sounds = [chime(), chime()];
  expect(played).toEqual([]);
  presses.dispatchEvent(new Event("click"));
  await Promise.all(sounds);
  expect(played).toEqual([
    [880, 4],
    [1175, 4.18],
  ]);
});
