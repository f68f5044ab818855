import { setTimeout as sleep } from "node:timers/promises";
import { FORMER_ROWS_KEPT_MS } from "../../src/account-move/limits.ts";
import { changeLinks, createLinks, deleteLinks, renameLink } from "./changes.ts";
import { advance, callFor, DATABASES, follow, type Setting } from "./setting.ts";

/** Moves of accounts between the databases, while all accounts are used. */

export interface MoveLoad {
  created: number;
  changed: number;
  deleted: number;
  redirects: number;
  lists: number;
}

const LINKS_PER_WRITE = 20;
const PAUSE_MS = 5;
const VISITORS = 16;
const WRITERS = 3;
const MAX_RUNS = 2_000;

/** Moves three accounts, one from each database to the next one. */
export async function moveUnderLoad(setting: Setting): Promise<{ moved: number; load: MoveLoad }> {
  const { server, accounts, model, places } = setting;
  const moving = Array.from({ length: DATABASES }, (_, number) => places.indexOf(number));
  const moved = moving.reduce((links, account) => links + model.count(account), 0);
  const load = new Load(setting, moving);
  load.start();
  for (const account of moving) {
    const target = ((places[account] ?? 0) + 1) % DATABASES;
    // As `npm run account -- move` does.
    await server.db
      .prepare("INSERT INTO account_moves (account_id, target, state, changed_at) VALUES (?1, ?2, 'copying', ?3)")
      .bind(accounts[account]?.accountId, target, Date.now() + setting.clock.ahead)
      .run();
    await finishMove(setting, load);
    places[account] = target;
  }
  await load.end();
  return { moved, load: load.done };
}

async function finishMove(setting: Setting, load: Load): Promise<void> {
  for (let run = 0; run < MAX_RUNS; run++) {
    await setting.server.control({ cron: true, busy: true });
    const move = await setting.server.db.prepare("SELECT state FROM account_moves").first<{ state: string }>();
    if (move === null) return;
    // Requests that are under way must not be minutes old at once.
    if (move.state === "keeping") await load.whilePaused(() => advance(setting, FORMER_ROWS_KEPT_MS));
  }
  throw new Error(`the account has not moved after ${MAX_RUNS} runs of the cron`);
}

/** Creates, changes, deletes, lists and follows links, half of them of the accounts that move. */
class Load {
  readonly done: MoveLoad = { created: 0, changed: 0, deleted: 0, redirects: 0, lists: 0 };
  readonly #setting: Setting;
  readonly #moving: readonly number[];
  /** Links that a call is changing. */
  readonly #changing = new Set<number>();
  #isEnding = false;
  #tasks: Promise<void>[] = [];

  constructor(setting: Setting, moving: readonly number[]) {
    this.#setting = setting;
    this.#moving = moving;
  }

  start(): void {
    this.#isEnding = false;
    const tasks = [
      ...Array.from({ length: WRITERS }, () => [() => this.#create(), () => this.#change()]).flat(),
      ...Array.from({ length: VISITORS }, () => () => this.#follow()),
      () => this.#list(),
    ];
    this.#tasks = tasks.map(async (task) => {
      while (!this.#isEnding) {
        await task();
        await sleep(PAUSE_MS);
      }
    });
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#tasks);
  }

  async whilePaused(run: () => Promise<void>): Promise<void> {
    await this.end();
    await run();
    this.start();
  }

  async #create(): Promise<void> {
    const { model } = this.#setting;
    // The room of the model bounds the load.
    if (model.next + LINKS_PER_WRITE > model.capacity) return;
    await createLinks(this.#setting, this.#anyAccount(), LINKS_PER_WRITE, true);
    this.done.created += LINKS_PER_WRITE;
  }

  async #change(): Promise<void> {
    const account = this.#anyAccount();
    const numbers = this.#someLinks(account, LINKS_PER_WRITE);
    if (numbers.length === 0) return;
    const renamed = numbers.find((n) => !this.#setting.model.is(n, "renamed"));
    for (const n of numbers) this.#changing.add(n);
    const choice = Math.random();
    if (choice < 0.3) {
      await changeLinks(this.#setting, account, numbers, "marked", true);
      this.done.changed += numbers.length;
    } else if (choice < 0.5) {
      await changeLinks(this.#setting, account, numbers, "archived", true);
      this.done.changed += numbers.length;
    } else if (choice < 0.85) {
      if (renamed !== undefined) {
        await renameLink(this.#setting, renamed, true);
        this.done.changed++;
      }
    } else {
      await deleteLinks(this.#setting, account, numbers, true);
      this.done.deleted += numbers.length;
    }
    for (const n of numbers) this.#changing.delete(n);
  }

  /** A link leads where it did before or after a change that is under way, and nowhere else. */
  async #follow(): Promise<void> {
    const { model, differences } = this.#setting;
    const n = Math.floor(Math.random() * model.next);
    if (model.stateOf(n) === 0) return;
    const slugs = model.slugsOf(n);
    const slug = slugs[Math.floor(Math.random() * slugs.length)] ?? "";
    const before = model.targetOf(n);
    const wasChanging = this.#changing.has(n);
    const got = await follow(this.#setting, slug, false).catch((error: unknown) => String(error));
    const allowed = [before, model.targetOf(n)];
    if (wasChanging || this.#changing.has(n)) allowed.push(model.urlOf(n, true), null);
    if (!allowed.includes(got)) differences.add(`/${slug} during a move: ${got}, expected ${before}`);
    this.done.redirects++;
  }

  async #list(): Promise<void> {
    const answer = await callFor(this.#setting, this.#anyAccount(), "GET", "/api/links?limit=100", undefined, {
      waits: true,
    });
    if (answer.status !== 200)
      this.#setting.differences.add(`list during a move: ${answer.status} ${answer.text.slice(0, 200)}`);
    this.done.lists++;
  }

  #anyAccount(): number {
    const from = Math.random() < 0.5 ? this.#moving : [...this.#setting.accounts.keys()];
    return from[Math.floor(Math.random() * from.length)] ?? 0;
  }

  /** Live links of the account that no call is changing. */
  #someLinks(account: number, count: number): number[] {
    const { model } = this.#setting;
    const first = Math.floor(Math.random() * model.next);
    const found: number[] = [];
    for (let n = first; n < model.next && found.length < count; n++)
      if (model.accountOf(n) === account && model.is(n, "live") && !this.#changing.has(n)) found.push(n);
    return found;
  }
}
