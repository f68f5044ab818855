import { REPORT_PATH } from "#safety";
import { it } from "vitest";

/** A test of what only a build with the wing `safety` does. A build without it has src/no-safety.ts in its place. */
export const itWithSafety = it.runIf(REPORT_PATH !== null);
