import { setTimeout as sleep } from "node:timers/promises";
import { hashPassword } from "../../../src/identity/people/password-hashing/scrypt.ts";
import { insertLinks } from "../../../test/e2e/support/many-links.ts";
import type { Answer } from "../../../test/e2e/support/http.ts";
import { startInstrumented } from "../instrumented/server.ts";
import { cpuMicroseconds, findRuntime } from "../load/process.ts";
import { measureRound, type Round } from "../load/round.ts";
import type { Row, Sides } from "../row.ts";
import { DESTINATION, HOST } from "../runtime.ts";
import { spreadOf } from "../statistics.ts";
import { HOT_PATH, latenciesIn, p99Of, startProbe, type Probe } from "../load/latency.ts";
import { monotonicMs } from "../load/probe.ts";

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
  const server = await startInstrumented("tools/bench/workers/receiver.js");
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

const KINDS = ["known", "unknown"] as const;
type Kind = (typeof KINDS)[number];

/** An address of its own for each call, because the calls for an address are limited. */
let next = 0;
const newAddress = (prefix: Kind) => `${prefix}-${(next++ % KNOWN) + 1}@example.com`;

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
  const signingIn = new AbortController();
  const clients = Array.from({ length: SIGNING_IN }, async () => {
    while (!signingIn.signal.aborted)
      await callOnce(server, "sign-in", { email: newAddress("known"), password: PASSWORD }, 200);
  });
  const round = await measureRedirects(server, seconds);
  signingIn.abort();
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

/** Calls for known and unknown addresses by turns, so that other work of the machine slows both alike. */
async function measurePair(server: PersonServer, { path, body, status }: AddressCall): Promise<Record<Kind, Round>> {
  const pid = findRuntime();
  const times: Record<Kind, number[]> = { known: [], unknown: [] };
  const cpu: Record<Kind, number> = { known: 0, unknown: 0 };
  for (let n = 0; n < CALLS_PER_ROUND; n++) {
    for (const kind of n % 2 === 0 ? KINDS : KINDS.toReversed()) {
      const [from, before] = [monotonicMs(), cpuMicroseconds(pid)];
      await callOnce(server, path, body(newAddress(kind)), status);
      times[kind].push(monotonicMs() - from);
      await sleep(PAUSE_MS);
      cpu[kind] += cpuMicroseconds(pid) - before;
    }
  }
  const toRound = (kind: Kind): Round => ({
    operations: CALLS_PER_ROUND,
    perSecond: (CALLS_PER_ROUND / times[kind].reduce((sum, time) => sum + time, 0)) * 1_000,
    cpuMicroseconds: cpu[kind] / CALLS_PER_ROUND,
    latencyMilliseconds: spreadOf(times[kind]).median,
  });
  return { known: toRound("known"), unknown: toRound("unknown") };
}

/** The first side of a turn measures both; the other has its result then. */
function compareAddresses(server: PersonServer, call: AddressCall): Sides {
  let measured: Partial<Record<Kind, Round>> = {};
  const side = (kind: Kind) => async () => {
    if (measured[kind] === undefined) measured = await measurePair(server, call);
    const { [kind]: own, ...others } = measured;
    measured = others;
    return own as Round;
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
