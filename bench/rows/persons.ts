import { setTimeout as sleep } from "node:timers/promises";
import { hashPassword } from "../../src/people/passwords/scrypt.ts";
import { insertLinks } from "../../test/e2e/support/many-links.ts";
import type { Answer } from "../../test/e2e/support/http.ts";
import { startInstrumented } from "../instrumented/server.ts";
import { findRuntime } from "../load/process.ts";
import { measureRound, type Round } from "../load/round.ts";
import type { Row, Sides } from "../row.ts";
import { DESTINATION, HOST } from "../runtime.ts";
import { spreadOf } from "../statistics.ts";
import { HOT_PATH } from "../worst-calls/account.ts";
import { latenciesIn, p99Of } from "../worst-calls/latency.ts";
import { startProbe, type Probe } from "../worst-calls/measure.ts";
import { monotonicMs } from "../worst-calls/probe.ts";

const PASSWORD = "seventeen quiet lanterns";
const WRONG_PASSWORD = "forty green umbrellas";
/** Users at `known-1@example.com` and up. */
const KNOWN = 2_000;
/** Clients that sign in, one call after the other. */
const SIGNING_IN = 2;
/** Calls of a side in a turn. Seven turns have more than fifty. */
const CALLS_PER_ROUND = 8;
/** For what a call leaves behind, such as a mail. */
const PAUSE_MS = 50;

type PersonServer = Awaited<ReturnType<typeof startPersons>>;

export async function startPersons() {
  const server = await startInstrumented("bench/workers/receiver.js");
  await insertLinks(server.db, { prefix: "l", first: 1, last: 1, url: DESTINATION });
  const users = server.db.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1),
       named (address) AS (SELECT 'known-' || i || '@example.com' FROM n)
     INSERT INTO users (id, email, email_key, name, password_hash, created_at)
     SELECT address, address, address, 'Ann Lee', ?2, 0 FROM named`,
  );
  await users.bind(KNOWN, hashPassword(PASSWORD)).run();
  let probe: Probe | null = null;
  const post = (path: string, body: object): Promise<Answer> =>
    server.request("POST", `/api/auth/${path}`, { Origin: `http://${HOST}` }, body);
  const stop = async () => {
    await probe?.stop();
    await server.stop();
  };
  /** The probe runs from its first use on, so that it does not disturb the rows before. */
  const useProbe = async () => (probe ??= await startProbe(server.address));
  return { useProbe, post, stop };
}

/** An address of its own for each call, because the calls for an address are limited. */
let next = 0;
const newAddress = (prefix: "known" | "unknown") => `${prefix}-${(next++ % KNOWN) + 1}@example.com`;

async function callOnce({ post }: PersonServer, path: string, body: object, status: number): Promise<void> {
  const answer = await post(path, body);
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}

async function measureRedirects({ useProbe }: PersonServer, seconds: number): Promise<Round> {
  const probe = await useProbe();
  let latency = Number.NaN;
  const round = await measureRound(findRuntime(), async () => {
    await probe.take();
    const span = { from: monotonicMs(), to: monotonicMs() + seconds * 1_000 };
    await sleep(seconds * 1_000);
    const latencies = latenciesIn(await probe.take(), [span]);
    latency = p99Of(latencies);
    return { operations: latencies.length };
  });
  return { ...round, latencyMilliseconds: latency };
}

async function measureBesideSignIns(server: PersonServer, seconds: number): Promise<Round> {
  let isOver = false;
  const clients = Array.from({ length: SIGNING_IN }, async () => {
    while (!isOver) await callOnce(server, "sign-in", { email: newAddress("known"), password: PASSWORD }, 200);
  });
  const round = await measureRedirects(server, seconds);
  isOver = true;
  await Promise.all(clients);
  return round;
}

export const besideSignIns: Row<PersonServer> = {
  name: "sign-ins",
  title: `GET ${HOT_PATH} while ${SIGNING_IN} clients sign in; compared with the p99 latency without these`,
  unit: "redirects",
  against: "idle",
  latency: "p99",
  seconds: 3,
  prepare: async (server) => ({
    row: (seconds) => measureBesideSignIns(server, seconds),
    reference: (seconds) => measureRedirects(server, seconds),
  }),
};

/** A call for an address, which must have the same answer with and without a user. */
interface AddressCall {
  name: string;
  path: string;
  body: (email: string) => object;
  status: number;
}

const CALLS: AddressCall[] = [
  { name: "sign-in", path: "sign-in", body: (email) => ({ email, password: WRONG_PASSWORD }), status: 401 },
  { name: "forgot", path: "password/forgot", body: (email) => ({ email }), status: 202 },
  {
    name: "sign-up",
    path: "sign-up",
    body: (email) => ({ email, password: WRONG_PASSWORD, name: "Ann Lee" }),
    status: 202,
  },
];

function compareAddresses(server: PersonServer, { path, body, status }: AddressCall): Sides {
  const side = (prefix: "known" | "unknown") => async () => {
    const latencies: number[] = [];
    const round = await measureRound(findRuntime(), async () => {
      for (let n = 0; n < CALLS_PER_ROUND; n++) {
        const from = monotonicMs();
        await callOnce(server, path, body(newAddress(prefix)), status);
        latencies.push(monotonicMs() - from);
        await sleep(PAUSE_MS);
      }
      return { operations: CALLS_PER_ROUND };
    });
    return { ...round, latencyMilliseconds: spreadOf(latencies).median };
  };
  return { row: side("known"), reference: side("unknown") };
}

export const knownAddresses = CALLS.map((call): Row<PersonServer> => ({
  name: `address-${call.name}`,
  title: `POST /api/auth/${call.path} for addresses with a user; compared with others`,
  unit: "calls",
  against: "unknown",
  latency: "p50",
  // A round has a number of calls, not a length.
  seconds: 1,
  prepare: async (server) => compareAddresses(server, call),
}));
