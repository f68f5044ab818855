import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Tern } from "@tern/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { runEventLoop, type ListenerEvent } from "../../../packages/cli/src/listen/event-loop.ts";
import { forward } from "../../../packages/cli/src/listen/forward.ts";
import {
  isInUse,
  keepListener,
  listListeners,
  releaseListener,
  type StoredListener,
} from "../../../packages/cli/src/listen/stored-listener.ts";
import { hangs, startReceiver } from "../../e2e/support/receiver.ts";
import { answers, breaks, failed, ID, KEY, startScriptedServer } from "../sdk/support/scripted-server.ts";
import { until } from "../../support/until.ts";
import { temporaryFolder } from "../../tools/scripts/support/command.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const DELIVERY = { headers: { "Content-Type": "application/json" }, body: '{"event":"link.create"}' };

test("a delivery whose connection is dropped is sent again", async () => {
  const receiver = await startReceiver((response) => {
    if (receiver.arrivals.length === 1) response.destroy();
    else response.end();
  });
  const onAway = vi.fn<(problem: string) => void>();
  const { signal } = new AbortController();
  expect(await forward(receiver.origin, DELIVERY, { signal, onAway })).toMatchObject({ status: 200, problem: null });
  expect(onAway.mock.calls).toEqual([["connection closed before the response"]]);
  expect(receiver.arrivals.map(({ body }) => body)).toEqual([DELIVERY.body, DELIVERY.body]);
  await receiver.stop();
});

test("the end of the command ends a delivery that has no response", async () => {
  const receiver = await startReceiver(hangs);
  const stop = new AbortController();
  const sent = forward(receiver.origin, DELIVERY, { signal: stop.signal, onAway: () => undefined });
  await until(() => receiver.inFlight === 1);
  stop.abort();
  await expect(sent).rejects.toMatchObject({ name: "AbortError" });
  await receiver.stop();
});

test("ten events at a time are handled, and a listener that is gone is replaced as soon as the service responds", async () => {
  const server = await startScriptedServer();
  const client = new Tern({ apiKey: KEY, baseUrl: server.origin });
  const notes = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const events = Array.from({ length: 100 }, (_, n) => ({ id: `${n}`, cursor: `${n}`, headers: {}, body: "{}" }));
  server.script(
    answers(200, { events, next: "99", missed: true }),
    answers(404, { error: "There is no such listener.", code: "not_found" }),
    failed(503),
    breaks,
    answers(201, { listener: { id: "new" } }),
    answers(200, { events: [{ ...events[0], id: "last" }], next: "1", missed: false }),
  );
  const stop = new AbortController();
  const handled: string[] = [];
  const cursors: string[] = [];
  let [inFlight, mostInFlight] = [0, 0];
  await runEventLoop({
    client,
    signal: stop.signal,
    position: { id: ID, after: "7" },
    reopen: () => client.listeners.create({ events: ["link.create"] }, { maxRetries: 0 }),
    async handle({ id }: ListenerEvent) {
      mostInFlight = Math.max(mostInFlight, ++inFlight);
      await pause(1);
      inFlight--;
      handled.push(id);
    },
    advance(after) {
      cursors.push(after);
      if (after === "1") stop.abort();
      return Promise.resolve();
    },
  });
  expect(mostInFlight).toBe(10);
  expect(handled.toSorted()).toEqual([...events.map(({ id }) => id), "last"].toSorted());
  expect(cursors).toEqual(["99", "1"]);
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /api/listeners/${ID}/events?wait=20&after=7`,
    `GET /api/listeners/${ID}/events?wait=20&after=99`,
    ...Array<string>(3).fill("POST /api/listeners"),
    "GET /api/listeners/new/events?wait=20",
  ]);
  expect(notes.mock.calls.map(([line]) => String(line).split(".")[0])).toEqual([
    "Some events are lost: the service keeps them for an hour, and about 10 MB of them",
    "The service no longer has this listener",
    "No",
    "The service responds again",
  ]);
  server.stop();
});

test("a stored listener is in use while its process runs and says so", async () => {
  const folder = temporaryFolder();
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  const mine = { id: ID, baseUrl: "https://go.example", keyEnd: "0f0f0f0f", secret: "whsec_", events: [], storedAt: 0 };
  const read = () => listListeners(mine.baseUrl)[0] ?? expect.fail("nothing is stored");
  await keepListener(() => mine);
  const stored = read();
  const { machine, pid } = stored.user ?? expect.fail("no user");
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const silent = Date.now() - 120_000;
  const cases: [Partial<StoredListener>, boolean][] = [
    [{ user: { machine, pid } }, false],
    [{ user: { machine, pid: process.ppid } }, true],
    [{ user: { machine, pid: process.ppid }, storedAt: silent }, false],
    [{ user: { machine, pid: ended } }, false],
    [{ user: { machine: "other", pid: ended } }, true],
    [{ user: { machine: "other", pid }, storedAt: silent }, false],
  ];
  expect(cases.map(([changes]) => isInUse({ ...stored, ...changes }))).toEqual(cases.map(([, expected]) => expected));

  await releaseListener(ID);
  expect(read()).not.toHaveProperty("user");
  const file = join(folder, "tern/listeners.json");
  writeFileSync(file, JSON.stringify({ [ID]: { ...stored, user: { machine, pid: process.ppid } } }));
  await expect(keepListener(() => mine)).rejects.toThrow("another tern listen has taken over");
  await releaseListener(ID);
  expect(read().user).toEqual({ machine, pid: process.ppid });
  await Promise.all([1, 2, 3].map((n) => keepListener(() => ({ ...mine, id: `${n}` }))));
  expect(listListeners(mine.baseUrl)).toHaveLength(4);
});
