import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { findRuntime } from "../../tools/bench/load/process.ts";
import type { ClickBatchMessage } from "../../src/click-log/capture/message.ts";
import type { Poll } from "../../src/webhooks/listeners/contract.ts";
import { until } from "../support/until.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { Queues } from "./support/queues.ts";
import { startService, type Service } from "./support/service.ts";

// A program listens while the service is killed again and again.

const KILLS = Number(process.env["KILLS"] ?? 5);
const LINKS_EACH = 3;
const CLICKS_EACH = 4;
vi.setConfig({ testTimeout: 60_000 + KILLS * 60_000 });

const state = mkdtempSync(join(tmpdir(), "tern-listeners-"));
const queues = new Queues((queue, messages) => service.handOut(queue, messages));
let service: Service<"here">;
/** The clicks that the ClickLog or the queue accepted, by their batches. */
const takenClicks = new Map<string, number>();
/** The statement of a turn that hands events to a listener. */
const TURN = /INSERT INTO listener_events/;

const start = async () => (service = await startService({ here: "one" }, { state, queues }));

beforeAll(async () => {
  queues.onTaken = (name, body) => {
    const { kind, batches } = body as ClickBatchMessage;
    if (kind !== "clicks" || name === "offered") return;
    for (const { id, clicks } of batches) takenClicks.set(id, clicks.ip.length);
  };
  await start();
  void queues.run();
});
afterAll(async () => {
  queues.stop();
  await service.stop();
  rmSync(state, { recursive: true, force: true });
});

/** Polls until it is stopped, like a program that may restart: after a failure it polls again with the same cursor. */
class Program {
  readonly events: Poll["events"] = [];
  stopped = false;
  #after: string | null = null;

  async run(key: string, id: string): Promise<void> {
    while (!this.stopped) {
      const query = this.#after === null ? "?wait=20" : `?wait=20&after=${this.#after}`;
      const answer = await callApi(service.isolates.here, key, "GET", `/api/listeners/${id}/events${query}`).catch(
        () => null,
      );
      if (answer?.status === 200) {
        const { events, next, missed } = answer.json() as Poll;
        expect(missed).toBe(false);
        this.events.push(...events);
        this.#after = next;
      } else await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The ids of the events of the type, each once. */
  idsOf(type: string): Set<string> {
    return new Set(this.events.filter(({ headers }) => headers["X-Service-Event"] === type).map(({ id }) => id));
  }

  get createdLinks(): Set<string> {
    const created = this.events.filter(({ headers }) => headers["X-Service-Event"] === "link.create");
    return new Set(created.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id));
  }
}

/** Waits until the condition holds. What a killed sender had is due when its lease ends, which the cron finds. */
async function runCronUntil(condition: () => boolean): Promise<void> {
  for (;;) {
    const patience = performance.now() + 3_000;
    await until(() => performance.now() > patience || condition());
    if (condition()) return;
    await service.isolates.here.advance(31_000);
    await service.cron("here");
  }
}

/** Kills the runtime before or after the next turn of a sender is recorded, and starts it again. */
async function killAtTurn(moment: "before" | "after", act: () => Promise<void>): Promise<void> {
  let isReached = false;
  service.isolates.here.onDatabase = (call) => {
    if (call.moment !== moment || !call.sql.some((sql) => TURN.test(sql))) return undefined;
    isReached = true;
    return new Promise(() => undefined);
  };
  await act();
  await runCronUntil(() => isReached);
  process.kill(findRuntime(), "SIGKILL");
  await service.stop();
  await start();
}

it(`a listener gets every event while the service is killed ${KILLS} times`, async () => {
  const { key } = await createAccount(service.db);
  const body = { events: ["link.create", "link.click"] };
  const answer = await callApi(service.isolates.here, key, "POST", "/api/listeners", body);
  const { listener } = answer.json() as { listener: { id: string } };
  const program = new Program();
  const listening = program.run(key, listener.id);
  const links: string[] = [];
  let clicks = 0;
  const act = async () => {
    const { here } = service.isolates;
    for (let n = 0; n < LINKS_EACH; n++) {
      const { id, slug } = await createLink(here, key, { url: "https://example.com/" });
      links.push(id);
      if (n > 0) continue;
      for (let click = 0; click < CLICKS_EACH; click++) expect((await here.get(`/${slug}`)).status).toBe(302);
      clicks += CLICKS_EACH;
    }
    // A click that nothing has accepted yet is lost with the isolate.
    await until(() => [...takenClicks.values()].reduce((sum, taken) => sum + taken, 0) >= clicks);
  };
  for (let kill = 0; kill < KILLS; kill++) await killAtTurn(kill % 2 === 0 ? "before" : "after", act);

  const isComplete = () =>
    links.every((id) => program.createdLinks.has(id)) && program.idsOf("link.click").size >= clicks;
  await runCronUntil(isComplete);
  program.stopped = true;
  await listening;
  expect([...program.createdLinks].toSorted()).toEqual(links.toSorted());
  expect(program.idsOf("link.click").size).toBe(clicks);
  // An event that came twice is the same.
  const kinds = program.events.map(({ id, body }) => `${id} ${body}`);
  expect(new Set(kinds).size).toBe(links.length + clicks);
});
