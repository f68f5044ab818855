import { randomUUID } from "node:crypto";
import { isatty } from "node:tty";
import { styleText } from "node:util";
import { escapeUnsafe } from "./text.ts";

/** The width of tables and charts where no terminal says its own. */
const DEFAULT_COLUMNS = 80;

export type Style = Parameters<typeof styleText>[0];

export const isTerminal = (): boolean => isatty(process.stdout.fd);

/** Whether somebody can answer questions. They are asked on stderr, so that stdout can be a pipe. */
export const canAsk = (): boolean => isatty(process.stdin.fd) && isatty(process.stderr.fd);

export const terminalColumns = (): number => process.stdout.columns || DEFAULT_COLUMNS;

/** Writes a line to stdout: a result. What would change the terminal is escaped, except the styles of `paint`. */
export function print(line: string): void {
  process.stdout.write(`${toOutput(line)}\n`);
}

/** Writes a line to stderr as `print` does: what a person should know, and a program need not. */
export function note(line: string): void {
  process.stderr.write(`${toOutput(line)}\n`);
}

/** Writes a file to stdout: into a pipe as it is, in a terminal as `print` does. */
export function printFile(bytes: Uint8Array): void {
  if (isTerminal()) print(Buffer.from(bytes).toString("utf8").replace(/\n$/, ""));
  else process.stdout.write(bytes);
}

/** Stands for the escape character of styles until they are written. A text of the service cannot contain it. */
const STYLE_MARK = randomUUID();

const toOutput = (line: string): string => escapeUnsafe(line).replaceAll(STYLE_MARK, "\u001B");

/** Lets `print` and `note` write the escape sequences of a text. */
export const asStyled = (text: string): string => text.replaceAll("\u001B", STYLE_MARK);

/** Styles text for stdout, if it is a terminal with colours. */
export const paint = (style: Style, text: string): string => styleFor(process.stdout, style, text);

/** Styles text for stderr, if it is a terminal with colours. */
export const paintNote = (style: Style, text: string): string => styleFor(process.stderr, style, text);

function styleFor(stream: { fd: number }, style: Style, text: string): string {
  if (!hasColors(stream)) return text;
  // Node 20 styles whatever the stream is, so the rules are checked here: https://no-color.org.
  return asStyled(styleText(style, escapeUnsafe(text), { validateStream: false }));
}

export function hasColors(stream: { fd: number }): boolean {
  return isatty(stream.fd) && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}

let hasProgress = false;

/** Shows a line of progress on stderr that the next one replaces. Shows nothing if stderr is no terminal. */
export function showProgress(line: string): void {
  if (!isatty(process.stderr.fd)) return;
  process.stderr.write(`${REPLACE_LINE}${line}`);
  hasProgress = true;
}

/** Removes the line of progress, if there is one. */
export function clearProgress(): void {
  if (hasProgress) process.stderr.write(REPLACE_LINE);
  hasProgress = false;
}

const REPLACE_LINE = "\r\u001B[K";

/**
 * A reader that has read enough closes the pipe, as `head` does. That is no error: the command finishes its changes
 * without output. A command that only a signal ends, as `tern listen`, ends.
 */
export function ignoreClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      if (stream === process.stdout) process.emit("SIGTERM", "SIGTERM");
    });
  }
}
