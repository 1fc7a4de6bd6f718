/** Two short notes, one after the other: their pitch in hertz, and when they begin, in seconds. */
const NOTES = [
  { pitch: 880, at: 0 },
  { pitch: 1175, at: 0.18 },
];
/** The length of a note in seconds. */
const LENGTH = 0.5;
const LOUDNESS = 0.2;

let audio: AudioContext | undefined;
let isWaiting = false;

/**
 * Plays the sound of a new order. A browser allows sound only after a press on the page: until then one sound waits,
 * however many orders come.
 */
export async function chime(): Promise<void> {
  if (isWaiting) return;
  audio ??= new AudioContext();
  const context = audio;
  const resume = () => void context.resume();
  isWaiting = true;
  addEventListener("click", resume, { once: true });
  await context.resume();
  removeEventListener("click", resume);
  isWaiting = false;
  for (const note of NOTES) play(context, note);
}

function play(on: AudioContext, { pitch, at }: (typeof NOTES)[number]): void {
  const begin = on.currentTime + at;
  const note = new OscillatorNode(on, { frequency: pitch });
  const volume = new GainNode(on, { gain: 0 });
  volume.gain.setValueAtTime(LOUDNESS, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
  note.connect(volume).connect(on.destination);
  note.start(begin);
  note.stop(begin + LENGTH);
}
