import { TernError } from "@tern/sdk";
import { CommanderError } from "commander";
import { EXIT, RefusedError, UsageError } from "./errors.ts";
import { clearProgress, note, paintNote } from "./output/terminal.ts";

/** What to do about errors whose message does not say it, by the code of the API. */
const ADVICE: Record<string, string> = {
  unauthorized: "Store a valid key with tern login, or correct TERN_API_KEY.",
  connection_failed: "Check the address of the service (tern whoami shows it) and your connection.",
  timeout: "The service is slow or cannot be reached. Try again.",
  internal: "This is a fault of the service. Report it with the request id.",
  unavailable: "The change may have been made. Check before you repeat it.",
};

/** Reports an error on stderr, and returns the exit code. */
export function reportError(error: unknown, isJson: boolean): number {
  clearProgress();
  // commander has printed its own message or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  if (isJson) note(JSON.stringify(toJson(error), null, 2));
  else for (const line of toLines(error)) note(line);
  return error instanceof UsageError || error instanceof TypeError ? EXIT.wrongUse : EXIT.refused;
}

function toLines(error: unknown): string[] {
  const label = paintNote("red", "Error:");
  if (!(error instanceof TernError)) return [`${label} ${messageOf(error)}`];
  const { message, code, status, details, requestId } = error;
  const others = details.filter((detail) => message !== `${detail.path}: ${detail.message}`);
  const advice = adviceFor(error);
  const origin = [
    ...(status === 0 ? [] : [`status ${status}`]),
    code,
    ...(requestId === null ? [] : [`request ${requestId}`]),
  ];
  return [
    `${label} ${message}`,
    ...others.map((detail) => `  ${detail.path}: ${detail.message}`),
    ...(advice === undefined ? [] : [advice]),
    paintNote("dim", `(${origin.join(", ")})`),
  ];
}

function adviceFor({ code, retryAfter }: TernError): string | undefined {
  if (code === "rate_limited" && retryAfter !== null) return `Try again in ${retryAfter} seconds.`;
  return ADVICE[code];
}

function toJson(error: unknown): object {
  if (!(error instanceof TernError)) {
    const isUsage = error instanceof UsageError || error instanceof TypeError;
    return { error: messageOf(error), code: isUsage ? "wrong_use" : "failed" };
  }
  const { message, code, status, details, requestId, retryAfter } = error;
  return { error: message, code, status, requestId, retryAfter, details };
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof RefusedError || error instanceof TypeError) return error.message;
  // A fault of this program: its place helps to report it.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
