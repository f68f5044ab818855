import { setInterval } from "node:timers/promises";
import { TernError } from "@tern/sdk";
import type { Command } from "commander";
import { action, type Context } from "../context.ts";
import { LISTENED_EVENTS, parseEvents } from "../events.ts";
import { runEventLoop, type ListenerEvent } from "../listen/event-loop.ts";
import { forward, parseReceiverUrl, type ForwardResult } from "../listen/forward.ts";
import { openListener, prepareSecret, type Wish } from "../listen/open-listener.ts";
import {
  forgetListener,
  HEARTBEAT_MS,
  keepListener,
  releaseListener,
  type StoredListener,
} from "../listen/stored-listener.ts";
import { addExamples, collect } from "../options.ts";
import { isTerminal, note, paint, paintNote, print } from "../output/terminal.ts";
import { pad } from "../output/text.ts";

const DELETE_TIMEOUT_MS = 3_000;

interface ListenOptions {
  forwardTo?: string;
  events?: string[];
  printSecret?: boolean;
}

export function addListen(program: Command): void {
  const command = program
    .command("listen")
    .description("receive webhook events on this computer, also behind a firewall")
    .option("--forward-to <url>", "send each event to this URL, signed as by a webhook; without it, only show them")
    .option("--events <events>", "such as link.create,link.click (default: all)", collect)
    .option("--print-secret", "print only the secret that signs; without --forward-to, end then")
    .action(action(listen));
  addExamples(command, [
    "tern listen --forward-to http://127.0.0.1:3000/hooks/tern",
    "tern listen --events link.create,link.click --json",
    "export WEBHOOK_SECRET=$(tern listen --print-secret)",
  ]);
}

async function listen(context: Context<ListenOptions>): Promise<void> {
  const { options, client, connection } = context;
  const wish = { client, connection, events: parseEvents(options.events) };
  const target = options.forwardTo === undefined ? undefined : parseReceiverUrl(options.forwardTo);
  if (options.printSecret === true && target === undefined) {
    printSecret(context, await prepareSecret(wish));
    return;
  }
  const session = new Session(context, await openListener(wish), target);
  session.announce();
  await session.run(wish);
}

/** In one line, as everything that this command prints. */
function printSecret({ isJson }: Context, secret: string): void {
  print(isJson ? JSON.stringify({ secret }) : secret);
}

/** One run of the command. */
class Session {
  readonly #context: Context<ListenOptions>;
  readonly #target: string | undefined;
  readonly #stop = new AbortController();
  #listener: StoredListener;
  /** Whether the receiver is away. */
  #isWaiting = false;

  constructor(context: Context<ListenOptions>, listener: StoredListener, target: string | undefined) {
    this.#context = context;
    this.#listener = listener;
    this.#target = target;
  }

  announce(): void {
    if (this.#context.options.printSecret === true) printSecret(this.#context, this.#listener.secret);
    else note(`The secret is ${paintNote("bold", this.#listener.secret)}`);
    const place = this.#target === undefined ? "Showing events" : `Forwarding events to ${this.#target}`;
    note(`${place}. Ctrl-C ends it.`);
  }

  async run(wish: Wish): Promise<void> {
    const { signal } = this.#stop;
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => this.#stop.abort());
    let failure: unknown;
    const heartbeats = this.#beat().catch((error: unknown) => {
      if (!signal.aborted) failure = error;
      this.#stop.abort();
    });
    try {
      await runEventLoop({
        client: wish.client,
        signal,
        position: this.#listener,
        reopen: () => this.#reopen(wish),
        handle: (event) => this.#handle(event),
        advance: (after) => {
          this.#listener = { ...this.#listener, after };
          return this.#keep();
        },
      });
    } finally {
      this.#stop.abort();
      await heartbeats;
    }
    if (failure !== undefined) throw failure;
    await this.#delete(wish);
  }

  /** Shows other processes that the listener is in use. */
  async #beat(): Promise<void> {
    for await (const _ of setInterval(HEARTBEAT_MS, undefined, { signal: this.#stop.signal })) await this.#keep();
  }

  #keep(): Promise<void> {
    return keepListener(() => this.#listener);
  }

  async #reopen(wish: Wish): Promise<StoredListener> {
    this.#listener = await openListener(wish, { signal: this.#stop.signal, maxRetries: 0 });
    note(`The new secret is ${paintNote("bold", this.#listener.secret)}`);
    return this.#listener;
  }

  /** One that cannot be deleted now stays stored, so that the next command continues or deletes it. */
  async #delete({ client }: Wish): Promise<void> {
    const { id } = this.#listener;
    const options = { maxRetries: 0, timeoutMs: DELETE_TIMEOUT_MS };
    try {
      await client.listeners.delete(id, options);
    } catch (error) {
      if (!(error instanceof TernError) || error.code !== "not_found") return releaseListener(id);
    }
    return forgetListener(id);
  }

  async #handle({ id, headers, body }: ListenerEvent): Promise<void> {
    const type = (JSON.parse(body) as { event: string }).event;
    if (this.#target === undefined) {
      this.#report({ id, event: type, body: JSON.parse(body) as unknown }, `${line(type)} ${body}`);
      return;
    }
    const result = await forward(
      this.#target,
      { headers, body },
      { signal: this.#stop.signal, onAway: (problem) => this.#announceWait(problem) },
    );
    this.#isWaiting &&= result.problem !== null;
    this.#report({ id, event: type, ...result }, `${line(type)} ${describeResult(result)}  ${paint("dim", id)}`);
  }

  #announceWait(problem: string): void {
    if (!this.#isWaiting) note(paintNote("yellow", `${this.#target}: ${problem}. Trying again.`));
    this.#isWaiting = true;
  }

  /** With `--json`, a line has one object. With `--print-secret`, stdout has only the secret. */
  #report(result: object, text: string): void {
    const show = this.#context.options.printSecret === true ? note : print;
    show(this.#context.isJson ? JSON.stringify(result) : text);
  }
}

const EVENT_COLUMNS = Math.max(...LISTENED_EVENTS.map(({ length }) => length));

function line(event: string): string {
  const time = new Date().toTimeString().slice(0, 8);
  return isTerminal() ? `${paint("dim", time)}  ${pad(event, EVENT_COLUMNS)} ` : event;
}

function describeResult({ status, problem }: ForwardResult): string {
  if (problem !== null) return paint("red", problem);
  return paint(status >= 200 && status < 300 ? "green" : "red", String(status));
}
