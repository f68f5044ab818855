import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, vi } from "vitest";
import { Tern } from "@tern/sdk";

export const KEY = `svc_sk_live_${"0f".repeat(32)}`;
export const ID = "019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const TIMEOUT_MS = 60_000;
export const SHORT_TIMEOUT_MS = 50;

type Respond = (response: ServerResponse) => void;

export interface ScriptedServer {
  origin: string;
  requests: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[];
  /** Sets the responses, one for each request; the last one is also that of all further ones. Forgets the requests. */
  script(...responses: Respond[]): void;
  /** The different idempotency keys of the requests. */
  keys(): Set<unknown>;
  stop(): void;
}

/**
 * Starts the server for the tests of a file. `start` sets its responses and returns a client. After each test, what it has
 * replaced is restored.
 */
export async function useScriptedServer() {
  const server = await startScriptedServer();
  afterAll(() => server.stop());
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
  return {
    server,
    start: (...responses: Respond[]) => {
      server.script(...responses);
      return quickClient(server);
    },
  };
}

/** Starts a server that responds as a test says. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  let responses: Respond[] = [];
  const scripted: ScriptedServer = {
    origin: "",
    requests: [],
    script(...given) {
      responses = given;
      scripted.requests = [];
    },
    keys: () => new Set(scripted.requests.map(({ headers }) => headers["idempotency-key"])),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: path = "", headers } = request;
    const body = await text(request);
    const next = responses[Math.min(scripted.requests.length, responses.length - 1)];
    scripted.requests.push({ method, path, headers, body });
    next?.(response);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  scripted.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return scripted;
}

export const answers =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  };
export const created = answers(201, { link: { id: ID } });
export const failed = (status: number, headers = {}): Respond =>
  answers(status, { error: "No.", code: "unavailable" }, headers);
export const breaks: Respond = (response) => void response.destroy();
export const cuts: Respond = (response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
  response.write('{"link":', () => response.destroy());
};
export const stalls: Respond = () => undefined;

const realTimeout = setTimeout;

/** A client of the server whose pauses last no time. They are recorded in milliseconds. */
function quickClient({ origin }: ScriptedServer): { client: Tern; pauses: number[] } {
  const pauses: number[] = [];
  vi.spyOn(globalThis, "setTimeout").mockImplementation((run: () => void, ms = 0) => {
    // Timeouts of requests have other lengths.
    const isPause = ms !== TIMEOUT_MS && ms !== SHORT_TIMEOUT_MS && String(run).includes("resolve");
    if (isPause) pauses.push(ms);
    return realTimeout(run, isPause ? 0 : ms);
  });
  return { client: new Tern({ apiKey: KEY, baseUrl: origin, timeoutMs: TIMEOUT_MS }), pauses };
}

export const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
