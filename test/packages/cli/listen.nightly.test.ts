import type { ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { webhooks, type Link } from "@tern/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addKey, createAccount, createLink as postLink } from "../../e2e/support/accounts.ts";
import { startReceiver, type Receiver } from "../../e2e/support/receiver.ts";
import { startService, type Service } from "../../e2e/support/service.ts";
import { until } from "../../support/until.ts";
import { startFront, type Front } from "./support/front.ts";
import { temporaryFolder } from "../../tools/scripts/support/command.ts";
import { Tern } from "./support/tern.ts";

const RESTARTS = 5;
const LINKS_PER_RUN = 5;
/** Longer than a sender has its deliveries. */
const LEASE_MS = 31_000;

let front: Front;
let service: Service<"only">;
let receiver: Receiver;
let tern: Tern;
let key: string;
let accountId: number;
let state: string;
let listening: ChildProcess | undefined;
let output = "";
let notes = "";

beforeEach(async () => {
  front = await startFront();
  receiver = await startReceiver();
  state = join(temporaryFolder(), "state");
  await start();
  ({ key, accountId } = await createAccount(service.db));
  tern = new Tern({ TERN_API_KEY: key, TERN_BASE_URL: front.origin });
  output = "";
  notes = "";
});

afterEach(async () => {
  listening?.kill("SIGKILL");
  await service.stop();
  await receiver.stop();
  front.stop();
});

async function start(): Promise<void> {
  service = await startService({ only: "one" }, { state, variables: { BASE_URL: front.origin } });
  front.service = service.isolates.only.address;
}

async function listen(...args: string[]): Promise<void> {
  listening = tern.start(["listen", "--forward-to", `${receiver.origin}/hooks`, ...args]);
  listening.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  listening.stderr?.on("data", (chunk: Buffer) => (notes += chunk.toString()));
  await until(() => notes.includes("Forwarding events"));
}

async function stopListening(signal: NodeJS.Signals): Promise<number | null> {
  const exit = new Promise<number | null>((resolve) => listening?.once("close", resolve));
  listening?.kill(signal);
  return exit;
}

const secretIn = (text: string) => /whsec_[\w+/]+=/.exec(text)?.[0] ?? expect.fail(`no secret in ${text}`);

const countListeners = () =>
  service.db.prepare("SELECT COUNT(*) AS n FROM webhooks WHERE listener_slot IS NOT NULL").first<number>("n");

const createdSlugs = () =>
  receiver.arrivals
    .map(({ body }) => JSON.parse(body) as { event: string; data: Link })
    .filter(({ event }) => event === "link.create")
    .map(({ data }) => data.slug);

const createLink = (slug: string) => tern.json<Link>("links", "create", "https://example.com/", "--slug", slug);

test("every event is forwarded while the service is restarted ten times", async () => {
  await listen("--events", "link.create");
  const slugs: string[] = [];
  for (let run = 0; run <= RESTARTS; run++) {
    if (run > 0) {
      front.service = undefined;
      await service.stop();
      await start();
    }
    for (let number = 0; number < LINKS_PER_RUN; number++) {
      const slug = `run-${run}-${number}`;
      await postLink(service.isolates.only, key, { url: "https://example.com/", slug });
      slugs.push(slug);
    }
  }
  // What a killed sender had is due when its lease ends, which the cron finds.
  await service.isolates.only.advance(LEASE_MS);
  await until(async () => {
    await service.cron("only");
    return new Set(createdSlugs()).size === slugs.length;
  });
  expect([...new Set(createdSlugs())].sort()).toEqual(slugs.sort());
  expect(notes).toContain("The service responds again.");
  for (const { body, headers } of receiver.arrivals) await webhooks.verify(body, headers, secretIn(notes));
  expect(await stopListening("SIGINT")).toBe(0);
}, 600_000);

test("a command that was killed goes on where it was, with the secret that was printed before", async () => {
  const printed = await tern.run(["listen", "--events", "link.create", "--print-secret"]);
  expect(printed.output).toMatch(/^whsec_[\w+/]+=\n$/);
  await createLink("before");
  await listen("--events", "link.create");
  await until(() => createdSlugs().includes("before"));
  expect(secretIn(notes)).toBe(printed.output.trim());
  // Beside it, the command prints the secret of the one that runs, whatever its events are.
  expect(await tern.run(["listen", "--print-secret"])).toEqual({ exitCode: 0, output: printed.output, errors: "" });
  const asJson = await tern.run(["listen", "--print-secret", "--json"]);
  expect(JSON.parse(asJson.output)).toEqual({ secret: printed.output.trim() });
  expect(await countListeners()).toBe(1);
  expect(await tern.run(["trigger", "link.delete", "--forward-to", `${receiver.origin}/hooks`])).toMatchObject({
    exitCode: 0,
  });
  await stopListening("SIGKILL");
  await createLink("while-killed");
  await listen("--events", "link.create", "--json");
  await until(() => createdSlugs().includes("while-killed"));
  for (const { body, headers } of receiver.arrivals) await webhooks.verify(body, headers, printed.output.trim());
  // The command before has printed lines without --json.
  const findObject = () => output.split("\n").find((each) => each.startsWith("{") && each.endsWith("}"));
  await until(() => findObject() !== undefined);
  expect(JSON.parse(findObject() ?? "")).toMatchObject({ event: "link.create", status: 200 });

  // Ctrl-C deletes the listener, and a stored one is deleted when it has other events than those that are wanted.
  expect(await stopListening("SIGINT")).toBe(0);
  expect(await countListeners()).toBe(0);
  const other = await tern.run(["listen", "--print-secret"]);
  expect(other.output).not.toBe(printed.output);
  const further = await tern.run(["listen", "--events", "link.update", "--print-secret"]);
  expect(further).toMatchObject({ exitCode: 0, errors: expect.stringContaining("could not be continued") });
  expect(await countListeners()).toBe(1);
  // A new key of the account knows nothing of them, but makes room where there is none.
  const rotated = { TERN_API_KEY: (await addKey(service.db, accountId)).key };
  await tern.run(["listen", "--print-secret"], rotated);
  const third = { TERN_API_KEY: (await addKey(service.db, accountId)).key };
  expect(await tern.run(["listen", "--print-secret"], third)).toMatchObject({ exitCode: 0 });
  expect(await countListeners()).toBe(1);
});

test("a listener that the service has deleted is replaced, also if the service cannot be reached at that time", async () => {
  await listen("--events", "link.create");
  const former = secretIn(notes);
  await until(() => front.requests.some((line) => line.includes("wait=20")));
  front.service = undefined;
  await service.db.prepare("DELETE FROM webhooks WHERE listener_slot IS NOT NULL").run();
  await until(() => notes.includes("Trying again until it works"));
  front.service = service.isolates.only.address;
  await until(() => notes.includes("The new secret is"));
  notes = notes.slice(notes.indexOf("The new secret is"));
  expect(secretIn(notes)).not.toBe(former);
  await createLink("afterwards");
  await until(() => createdSlugs().includes("afterwards"));
  for (const { body, headers } of receiver.arrivals) await webhooks.verify(body, headers, secretIn(notes));
});

test("a receiver that starts later, and drops a connection then, gets the events", async () => {
  const port = Number(new URL(receiver.origin).port);
  await receiver.stop();
  await listen("--events", "link.create");
  await createLink("early");
  const bodies: string[] = [];
  let isDropped = false;
  const later = createServer((request, response) => {
    if (!isDropped) {
      isDropped = true;
      request.destroy();
      return;
    }
    request.on("data", (chunk: Buffer) => bodies.push(chunk.toString())).on("end", () => response.end());
  });
  await until(() => notes.includes("connection refused"));
  await new Promise<void>((resolve) => later.listen(port, "127.0.0.1", resolve));
  await until(() => bodies.join("").includes("early"));
  later.close();
  receiver = await startReceiver();
});
