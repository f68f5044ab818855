import { setTimeout as pause } from "node:timers/promises";

const FIRST_PAUSE_MS = 250;
/** 40 reads a minute, of the 60 that the service allows. */
const LONGEST_PAUSE_MS = 1_500;

/** Reads something until it has come to an end, less and less often, and reports each state. */
export async function pollUntil<State>(
  read: () => Promise<State>,
  isOver: (state: State) => boolean,
  report: (state: State) => void,
): Promise<State> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const state = await read();
    if (isOver(state)) return state;
    report(state);
    await pause(pauseMs);
  }
}
