import type { ChildProcess } from "node:child_process";
import { ForksPoolWorker, type PoolRunnerInitializer } from "vitest/node";

const NAME = "forks-that-end";

/** How long the last output of an ended test process may take to arrive (milliseconds). */
const LAST_OUTPUT_MS = 1_000;

/**
 * The test processes of vitest. It waits for the end of their output, so a process that a test has left behind and that has
 * the same output would keep vitest from ending (vitest-dev/vitest#10842).
 */
class Forks extends ForksPoolWorker {
  // Files share a process only if the names are equal.
  override readonly name = NAME;

  override async stop(): Promise<void> {
    const { fork } = this as unknown as { fork: ChildProcess };
    const closeLater = () => {
      const close = () => [fork.stdout, fork.stderr].forEach((stream) => stream?.destroy());
      setTimeout(close, LAST_OUTPUT_MS).unref();
    };
    // A process that has ended by itself has had the event.
    if (fork.exitCode !== null || fork.signalCode !== null) closeLater();
    else fork.once("exit", closeLater);
    await super.stop();
  }
}

export const forks: PoolRunnerInitializer = {
  name: NAME,
  createPoolWorker: (options) => new Forks(options),
};
