import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "./command.ts";

/** How often the parent process is checked. */
const PARENT_POLL_MS = 500;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Returns a signal that Ctrl-C, another request to end, or the end of npm aborts; `release` ends that. */
export function stopOnSignals(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort(new Failure("Interrupted.", 130));
  for (const signal of SIGNALS) process.on(signal, stop);
  if (process.env["npm_lifecycle_event"] !== undefined) void whenOrphaned().then(stop);
  const release = () => SIGNALS.forEach((signal) => process.off(signal, stop));
  return { signal: controller.signal, release };
}

/** npm passes a signal to the shell between it and this process, but the shell ends without passing it on. */
async function whenOrphaned(): Promise<void> {
  const parent = process.ppid;
  while (process.ppid === parent) await sleep(PARENT_POLL_MS, undefined, { ref: false });
}
