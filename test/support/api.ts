import type { Fault } from "../../src/platform/http/faults.ts";
import { createJobContext, type ServiceContext } from "../../src/platform/context.ts";
import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { PERMISSIONS, type Permission } from "../../src/platform/auth/permissions.ts";
import { answerPassed } from "../../src/app.ts";
import worker from "../../src/index.ts";
import type { ClickBatch, ClickBatchMessage } from "../../src/click-log/capture/message.ts";
import type { CapturedClick } from "../../src/click-log/capture/click.ts";
import type { Link } from "../../src/links/contract.ts";
import * as accounts from "./accounts.ts";
import { usualAddress } from "./address.ts";
import { clicksIn } from "./clicks.ts";

export const BASE_URL = "https://tern.test";

const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

export interface CallOptions {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  address?: string;
}

/** Sends a request to the Worker and waits for its background work. Redirects are not followed. */
export function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  return send(buildRequest(method, path, options));
}

export function buildRequest(
  method: string,
  path: string,
  options: CallOptions = {},
): Request<unknown, IncomingRequestCfProperties> {
  const own = { "CF-Connecting-IP": options.address ?? usualAddress(path), "User-Agent": USER_AGENT };
  const headers = new Headers({ ...own, ...options.headers });
  if (options.key !== undefined) headers.set("Authorization", `Bearer ${options.key}`);
  if (options.body !== undefined && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  const body =
    options.body === undefined || typeof options.body === "string" ? options.body : JSON.stringify(options.body);
  // Clients send the length. Without it, an object answers bulk calls.
  if (typeof body === "string" && !headers.has("Content-Length"))
    headers.set("Content-Length", String(new TextEncoder().encode(body).byteLength));
  const url = path.startsWith("http") ? path : BASE_URL + path;
  return new Request(url, { method, headers, body: body ?? null, redirect: "manual" });
}

/** Sends a request. `bindings` replace those of the Worker, for example with failing ones. */
export async function send(
  request: Request<unknown, IncomingRequestCfProperties>,
  bindings: Partial<Env> = {},
): Promise<Response> {
  const context = createExecutionContext();
  const all = { ...env, CLICK_LOG: clickLogs, ...bindings };
  const response = await worker.fetch(request, { ...all, JOB_RUNNER: runnersWith(all, context) }, context);
  await waitOnExecutionContext(context);
  return response;
}

/** Calls that an object answers are answered with the bindings of the test. test/access/guards/passed-calls.test.ts has real objects. */
function runnersWith(bindings: Env, context: ExecutionContext): Env["JOB_RUNNER"] {
  const getByName = (name: string) => {
    const runner = bindings.JOB_RUNNER.getByName(name);
    if (!name.startsWith("calls:")) return runner;
    return { fetch: async (request: Request) => answerPassed(request, bindings, context) };
  };
  return { getByName } as unknown as Env["JOB_RUNNER"];
}

/** Runs the cron at `now` (Unix milliseconds) and waits for its background work. */
export async function runCron(now: number, bindings: Partial<Env> = {}): Promise<void> {
  const context = createExecutionContext();
  const controller = createScheduledController({ cron: "* * * * *", scheduledTime: new Date(now) });
  await worker.scheduled(controller, { ...env, ...bindings }, context);
  await waitOnExecutionContext(context);
}

/** The context of a job at `now` (Unix milliseconds), for tests that call jobs directly. */
export function jobContext(now: number, bindings: Partial<Env> = {}): ServiceContext {
  return createJobContext({ ...env, ...bindings }, createExecutionContext(), now);
}

/** Removes and returns the clicks that redirects sent, oldest first, as messages: no ClickLog has stored them. */
export function takeSentClicks(): ClickBatchMessage[] {
  return sentClicks.splice(0);
}

/** Removes and returns the clicks that redirects captured. */
export function takeSentVisits(): CapturedClick[] {
  return takeSentClicks().flatMap(clicksIn);
}

const sentClicks: ClickBatchMessage[] = [];

/** The ClickLogs, but what redirects send them is kept for {@link takeSentClicks}, so that tests decide when it is stored. */
const clickLogs = {
  getByName(name: string) {
    const stub = env.CLICK_LOG.getByName(name) as unknown as Record<PropertyKey, (...args: unknown[]) => unknown>;
    const ingest = async (batches: ClickBatch[]) => {
      sentClicks.push({ kind: "clicks", batches });
      return [];
    };
    return new Proxy(stub, {
      get: (_, method) => (method === "ingest" ? ingest : (...args: unknown[]) => stub[method]?.(...args)),
    });
  },
} as unknown as Env["CLICK_LOG"];

/** The response's JSON. Its type is not checked. */
export async function jsonOf<T = Record<string, unknown>>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

export interface ErrorJson {
  error: string;
  code: string;
  details?: Fault[];
}

/** The error of a refused call. */
export async function errorOf(response: Response): Promise<ErrorJson & { status: number }> {
  return { status: response.status, ...(await jsonOf<ErrorJson>(response)) };
}

/** Creates an account with one key that has `permissions`, by default all. */
export function createAccount(permissions: readonly Permission[] = PERMISSIONS) {
  return accounts.createAccount(env.DB, { permissions });
}

/** Of the test that runs, since {@link startAccount}. */
export let key: string;
export let accountId: number;

/** Creates the account of a test. */
export async function startAccount(): Promise<void> {
  ({ key, accountId } = await createAccount());
}

export function addKey(
  accountId: number,
  permissions: readonly Permission[] = PERMISSIONS,
  expiresAt: number | null = null,
) {
  return accounts.addKey(env.DB, accountId, { permissions, expiresAt });
}

/** A link created through the API. */
export async function createLink(key: string, fields: Record<string, unknown> = {}): Promise<Link> {
  const response = await call("POST", "/api/links", { key, body: { url: "https://example.com/", ...fields } });
  if (response.status !== 201) throw new Error(`create link: ${response.status} ${await response.text()}`);
  return (await jsonOf<{ link: Link }>(response)).link;
}
