import { isatty } from "node:tty";
import { styleText } from "node:util";

/** The width of tables and charts where no terminal says its own. */
const DEFAULT_COLUMNS = 80;

export type Style = Parameters<typeof styleText>[0];

export const isTerminal = (): boolean => isatty(process.stdout.fd);

/** Whether somebody can answer questions. They are asked on stderr, so that stdout can be a pipe. */
export const canAsk = (): boolean => isatty(process.stdin.fd) && isatty(process.stderr.fd);

export const terminalColumns = (): number => process.stdout.columns || DEFAULT_COLUMNS;

/** Writes a line to stdout: a result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line to stderr: what a person should know, and a program need not. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Styles text for stdout, if it is a terminal with colours. */
export const paint = (style: Style, text: string): string => styleFor(process.stdout, style, text);

/** Styles text for stderr, if it is a terminal with colours. */
export const paintNote = (style: Style, text: string): string => styleFor(process.stderr, style, text);

function styleFor(stream: { fd: number }, style: Style, text: string): string {
  // Node 20 styles whatever the stream is, so the rules are checked here: https://no-color.org.
  return hasColors(stream) ? styleText(style, text, { validateStream: false }) : text;
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

/** A reader that has read enough closes the pipe, as `head` does. That ends the command, and is no error. */
export function endOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  }
}
