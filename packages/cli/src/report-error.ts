import { inspect } from "node:util";
import { TernError } from "@tern/sdk";
import { CommanderError } from "commander";
import { EXIT, RefusedError, UsageError } from "./errors.ts";
import { clearProgress, note, paintNote } from "./output/terminal.ts";
import { toLine } from "./output/text.ts";

/** What to do about errors whose message does not say it, by the code of the API. */
const ADVICE: Record<string, string> = {
  unauthorized: "Run tern login again, or correct TERN_API_KEY.",
  connection_failed: "Check your connection, and the address in TERN_BASE_URL or of tern login --url.",
  timeout: "The service is slow or cannot be reached. Try again.",
  unexpected_response: "Check that this is the address of a Tern service.",
  internal: "This is a fault of the service. Report it with the request id.",
};

/** Reports an error on stderr, and returns the exit code. */
export function reportError(error: unknown, isJson: boolean): number {
  clearProgress();
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  if (isJson) note(JSON.stringify(toJson(error), null, 2));
  else for (const line of toLines(error)) note(line);
  if (process.env["TERN_DEBUG"]) note(inspect(error));
  return isWrongUse(error) ? EXIT.wrongUse : EXIT.refused;
}

const isWrongUse = (error: unknown): boolean => error instanceof UsageError || error instanceof CommanderError;

function toLines(error: unknown): string[] {
  const label = paintNote("red", "Error:");
  if (error instanceof TernError) return [`${label} ${toLine(error.message)}`, ...linesOf(error)];
  if (!(error instanceof CommanderError)) return [`${label} ${messageOf(error)}`];
  // The help is there already.
  return error.code === "commander.help" ? [] : [`${label} ${messageOf(error)}`, "(add --help for the usage)"];
}

function linesOf(error: TernError): string[] {
  const { code, status, details, requestId } = error;
  // The message is the first one.
  const others = details.slice(1);
  const reason = reasonOf(error);
  const advice = adviceFor(error);
  const origin = [
    ...(status === 0 ? [] : [`status ${status}`]),
    code,
    ...(requestId === null ? [] : [`request ${requestId}`]),
  ];
  return [
    ...others.map(({ path, message: text }) => `  ${toLine(`${path}: ${text}`)}`),
    ...(reason === undefined ? [] : [`Reason: ${toLine(reason).trim()}`]),
    ...(advice === undefined ? [] : [advice]),
    paintNote("dim", `(${toLine(origin.join(", "))})`),
  ];
}

/** Why there is no connection: the innermost cause, such as a name that is not in the DNS. */
function reasonOf({ code, cause }: TernError): string | undefined {
  if (code !== "connection_failed") return undefined;
  let innermost = cause;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return undefined;
  return innermost.message || (innermost as NodeJS.ErrnoException).code;
}

function adviceFor({ code, details }: TernError): string | undefined {
  if (details[0]?.code === "app_lacks_scope") return "Run tern login again, and allow it in the browser.";
  return Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
}

function toJson(error: unknown): object {
  if (!(error instanceof TernError)) {
    const code = isWrongUse(error) ? "wrong_use" : error instanceof RefusedError ? "failed" : "internal_fault";
    return { error: messageOf(error), code };
  }
  const { message, code, status, details, requestId, retryAfter } = error;
  return { error: message, code, status, requestId, retryAfter, details };
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof RefusedError) return error.message;
  if (error instanceof CommanderError) {
    return error.code === "commander.help" ? "A command is missing. Add --help for the list." : withoutLabel(error);
  }
  return `${String(error)}\nThis is a fault of tern. Report it with what it prints if TERN_DEBUG=1 is set.`;
}

const withoutLabel = ({ message }: CommanderError): string => message.replace(/^error: /, "");
