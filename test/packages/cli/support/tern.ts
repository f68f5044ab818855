import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { vi } from "vitest";
import { run as runCommand } from "../../../../packages/cli/src/run.ts";
import { ROOT } from "../../../../tools/scripts/wrangler.ts";
import { temporaryFolder } from "../../../tools/scripts/support/command.ts";
import { COMMAND_TIMEOUT_MS } from "../../../support/command-timeout.ts";

/** The built command. */
export const TERN = join(ROOT, "packages/cli/dist/main.js");

export interface Outcome {
  exitCode: number | null;
  output: string;
  errors: string;
}

const QUESTION = /(:|\])\s*$/;

type Environment = Record<string, string>;

/** The command of one user, with a configuration folder and an environment of its own. */
export class Tern {
  readonly folder: string = temporaryFolder();
  readonly #environment: Environment;

  constructor(environment: Environment = {}) {
    const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
    this.#environment = {
      PATH,
      NODE_COMPILE_CACHE,
      TZ: "UTC",
      HOME: this.folder,
      XDG_CONFIG_HOME: this.folder,
      ...environment,
    };
  }

  start(args: string[], environment: Environment = {}): ChildProcess {
    return this.#spawn(process.execPath, [TERN, ...args], environment);
  }

  /**
   * Runs it as in a pipe, and waits for its end. It runs in this process, because the start of another one takes most of the
   * time of a command. Only with `input`, which it reads from stdin, it has a process of its own.
   */
  run(args: string[], { input, ...environment }: Environment = {}): Promise<Outcome> {
    if (input === undefined) return this.#runHere(args, environment);
    const child = this.start(args, environment);
    child.stdin?.on("error", () => undefined).end(input);
    return outcomeOf(child);
  }

  /** Runs it and returns the JSON that it prints. Throws if it fails. */
  async json<T>(...args: string[]): Promise<T> {
    const { exitCode, output, errors } = await this.run([...args, "--json"]);
    if (exitCode !== 0) throw new Error(`tern ${args.join(" ")}: ${errors}`);
    return JSON.parse(output) as T;
  }

  /** Runs it in a terminal of 80 columns, and answers its questions in their order. Both streams are in `output`. */
  async runInTerminal(args: string[], environment: Environment = {}, answers: string[] = []): Promise<Outcome> {
    const child = this.startInTerminal(args, environment);
    const waiting = [...answers];
    const asked = new Set<string>();
    child.stdout?.on("data", (chunk: Buffer) => {
      // A question ends with a colon or with what can be answered; codes that move the cursor may follow.
      const question = stripVTControlCharacters(chunk.toString()).trimStart();
      // The terminal may print a question twice. A second answer would go to the next question before it is printed.
      if (!QUESTION.test(question) || asked.has(question)) return;
      asked.add(question);
      const answer = waiting.shift();
      if (answer !== undefined) child.stdin?.write(`${answer}\n`);
    });
    // The terminal ends when its input does, so the input stays open until the command has ended.
    child.once("exit", () => child.stdin?.end());
    return outcomeOf(child);
  }

  /** Starts it in a terminal of 80 columns. */
  startInTerminal(args: string[], environment: Environment = {}): ChildProcess {
    const words = [process.execPath, TERN, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
    const command = `stty cols 80 rows 24; ${words.join(" ")}`;
    return this.#spawn("script", ["-qefc", command, "/dev/null"], { TERM: "xterm-256color", ...environment });
  }

  /** Runs a line of the shell, in which `tern` is the command. */
  async runShell(line: string, environment: Environment = {}): Promise<Outcome> {
    const definition = `tern() { '${process.execPath}' '${TERN}' "$@"; }`;
    const child = this.#spawn("bash", ["-c", `set -o pipefail; ${definition}; ${line}`], environment);
    child.stdin?.end();
    return outcomeOf(child);
  }

  #runHere(args: string[], environment: Environment): Promise<Outcome> {
    // One after the other: they change the variables, the folder and the output of this process.
    const outcome = running.then(() => runHere(args, this.folder, { ...this.#environment, ...environment }));
    running = outcome.catch(() => undefined);
    return outcome;
  }

  #spawn(command: string, args: string[], environment: Environment): ChildProcess {
    // Only these variables: none of the tests' own.
    const env = { ...this.#environment, ...environment } as NodeJS.ProcessEnv;
    return spawn(command, args, { cwd: this.folder, env, timeout: COMMAND_TIMEOUT_MS });
  }
}

let running: Promise<unknown> = Promise.resolve();

async function runHere(args: string[], folder: string, environment: Environment): Promise<Outcome> {
  const former = { folder: process.cwd(), environment: { ...process.env } };
  const written = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      written[name].push(Buffer.from(chunk));
      return true;
    }),
  );
  process.chdir(folder);
  setEnvironment(environment);
  try {
    const exitCode = await runCommand(args);
    const [output = "", errors = ""] = [written.stdout, written.stderr].map((chunks) =>
      Buffer.concat(chunks).toString(),
    );
    return { exitCode, output, errors };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(former.folder);
    setEnvironment(former.environment);
  }
}

function setEnvironment(environment: Record<string, string | undefined>): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
  Object.assign(process.env, environment);
}

export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const streams = [child.stdout, child.stderr].map((stream) => (stream === null ? "" : text(stream)));
  const [exitCode, output, errors] = await Promise.all([exit, ...streams]);
  return { exitCode, output: output ?? "", errors: errors ?? "" };
}
