import { TernError } from "@tern/sdk";
import type { Command } from "commander";
import { action, type Context } from "../context.ts";
import { parseEvents, type ListenedEvent } from "../events.ts";
import { runEventLoop, type ListenerEvent } from "../listen/event-loop.ts";
import { forward, parseReceiverUrl, type ForwardResult } from "../listen/forward.ts";
import {
  forgetListener,
  isInUse,
  readListener,
  storeListener,
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
    .option("--print-secret", "print only the secret; without --forward-to, end then")
    .action(action(listen));
  addExamples(command, [
    "tern listen --forward-to http://127.0.0.1:3000/hooks/tern",
    "tern listen --events link.create,link.click --json",
    "export WEBHOOK_SECRET=$(tern listen --print-secret)",
  ]);
}

async function listen(context: Context<ListenOptions>): Promise<void> {
  const { options } = context;
  const events = parseEvents(options.events);
  const target = options.forwardTo === undefined ? undefined : parseReceiverUrl(options.forwardTo);
  const listener = await openListener(context, events);
  if (options.printSecret === true) print(listener.secret);
  if (options.printSecret === true && target === undefined) return;
  const session = new Session(context, listener, target);
  session.announce();
  await session.run(events);
}

/** Continues the listener that `--print-secret` or a command that was killed has left, or creates one. */
async function openListener(context: Context<ListenOptions>, events: ListenedEvent[]): Promise<StoredListener> {
  const stored = readListener(context.connection);
  const wanted = [...events].sort().join();
  if (stored !== undefined && !isInUse(stored) && [...stored.events].sort().join() === wanted) {
    if (await exists(context, stored)) return stored;
  }
  return createListener(context, events);
}

async function exists(context: Context, { id, after = "0" }: StoredListener): Promise<boolean> {
  try {
    await context.client.listeners.poll(id, { after });
    return true;
  } catch (error) {
    if (error instanceof TernError && [400, 403, 404].includes(error.status)) return false;
    throw error;
  }
}

async function createListener(context: Context<ListenOptions>, events: ListenedEvent[]): Promise<StoredListener> {
  const { id, secret } = await context.client.listeners.create({ events });
  const listener = { id, secret, events };
  const other = readListener(context.connection);
  // A listener of another process that runs stays stored.
  if (other === undefined || !isInUse(other)) storeListener(context.connection, listener);
  return listener;
}

/** One run of the command. */
class Session {
  readonly #context: Context<ListenOptions>;
  readonly #target: string | undefined;
  readonly #stop = new AbortController();
  #listener: StoredListener;
  /** Whether the receiver accepts no connections. */
  #isWaiting = false;
  readonly #isStored: boolean;

  constructor(context: Context<ListenOptions>, listener: StoredListener, target: string | undefined) {
    this.#context = context;
    this.#listener = listener;
    this.#target = target;
    this.#isStored = readListener(context.connection)?.id === listener.id;
  }

  announce(): void {
    if (this.#context.options.printSecret !== true) {
      note(`The secret is ${paintNote("bold", this.#listener.secret)}`);
    }
    const place = this.#target === undefined ? "Showing events" : `Forwarding events to ${this.#target}`;
    note(`${place}. Ctrl-C ends it.`);
  }

  async run(events: ListenedEvent[]): Promise<void> {
    const { client } = this.#context;
    const { signal } = this.#stop;
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => this.#stop.abort());
    this.#store(this.#listener.after);
    const listenerId = async (gone: boolean) => {
      if (gone) {
        this.#listener = await createListener(this.#context, events);
        note(`The new secret is ${paintNote("bold", this.#listener.secret)}`);
      }
      return this.#listener.id;
    };
    await runEventLoop({
      client,
      signal,
      listenerId,
      after: this.#listener.after,
      handle: (event) => this.#handle(event),
      advance: (after) => this.#store(after),
    });
    // A listener that cannot be deleted now is gone an hour later.
    const options = { maxRetries: 0, timeoutMs: DELETE_TIMEOUT_MS };
    await client.listeners.delete(this.#listener.id, options).catch(() => undefined);
    forgetListener(this.#context.connection, this.#listener.id);
  }

  #store(after: string | undefined): void {
    if (after !== undefined) this.#listener = { ...this.#listener, after };
    if (!this.#isStored) return;
    storeListener(this.#context.connection, { ...this.#listener, pid: process.pid });
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
      { signal: this.#stop.signal, onRefused: () => this.#announceWait() },
    );
    this.#isWaiting &&= result.problem !== null;
    this.#report({ id, event: type, ...result }, `${line(type)} ${describeResult(result)}  ${paint("dim", id)}`);
  }

  #announceWait(): void {
    if (!this.#isWaiting) note(paintNote("yellow", `${this.#target} accepts no connections. Trying again.`));
    this.#isWaiting = true;
  }

  /** With `--json`, a line has one object. With `--print-secret`, stdout has only the secret. */
  #report(result: object, text: string): void {
    const show = this.#context.options.printSecret === true ? note : print;
    show(this.#context.isJson ? JSON.stringify(result) : text);
  }
}

/** The width of the longest event. */
const EVENT_COLUMNS = 15;

function line(event: string): string {
  const time = new Date().toTimeString().slice(0, 8);
  return isTerminal() ? `${paint("dim", time)}  ${pad(event, EVENT_COLUMNS)} ` : event;
}

function describeResult({ status, problem }: ForwardResult): string {
  if (problem !== null) return paint("red", problem);
  return paint(status >= 200 && status < 300 ? "green" : "red", String(status));
}
