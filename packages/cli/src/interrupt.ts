import { EXIT } from "./errors.ts";
import { clearProgress } from "./output/terminal.ts";

/** Does `work`. Ctrl-C meanwhile does `leave`, and ends the command. */
export async function interruptible<Result>(
  leave: () => Promise<void> | void,
  work: () => Promise<Result>,
): Promise<Result> {
  const onInterrupt = () => {
    clearProgress();
    void Promise.resolve(leave()).finally(() => process.exit(EXIT.interrupted));
  };
  process.once("SIGINT", onInterrupt);
  try {
    return await work();
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
