import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

/** The part of Cloudflare's API that a deployment calls, for one account with a real D1 database. */
export interface Cloudflare {
  /** The variables that make wrangler call it. */
  environment: Record<string, string>;
  account: Account;
  /** Returns the calls since the last one that change something, as method and path. */
  takeChanges(): string[];
  close(): Promise<void>;
}

interface Account {
  /** Ids by name. */
  databases: Map<string, string>;
  /** The content of the database. */
  data: D1Database;
  queues: Set<string>;
  /** Values by name. */
  secrets: Map<string, string>;
  /** The hashes of the static assets, by path. */
  assets: Map<string, string>;
  /** The last upload of the Worker, a multipart body. */
  worker: string | null;
  domains: string;
}

interface Call {
  /** Method and path, without the part that all calls share. */
  request: string;
  query: URLSearchParams;
  body: string;
  account: Account;
  origin: string;
}

interface Reply {
  status?: number;
  /** Cloudflare's error code. */
  code?: number;
  result?: unknown;
}

const ACCOUNT_ID = "0123456789abcdef0123456789abcdef";
const NO_SUCH_WORKER: Reply = { status: 404, code: 10007 };

export async function startCloudflare(): Promise<Cloudflare> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: "", cf: false, d1Databases: { DB: "DB" } }),
  );
  const account: Account = {
    databases: new Map(),
    data: await runtime.getD1Database("DB"),
    queues: new Set(),
    secrets: new Map(),
    assets: new Map(),
    worker: null,
    domains: "",
  };
  const changes: string[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", (request, response) => {
    void (async () => {
      const { pathname, searchParams: query } = new URL(request.url ?? "/", origin);
      const name = `${request.method} ${pathname.replace(`/client/v4/accounts/${ACCOUNT_ID}`, "")}`;
      const call = { request: name, query, body: await text(request), account, origin };
      if (request.method !== "GET" && !call.request.endsWith("/query")) changes.push(call.request);
      const { status = 200, code, result = {} } = await answer(call);
      response.writeHead(status, { "Content-Type": "application/json", ETag: `"${md5(call.body)}"` });
      const errors = code === undefined ? [] : [{ code, message: `This is error ${code}.` }];
      response.end(JSON.stringify({ success: status < 400, errors, messages: [], result }));
    })();
  });
  return {
    environment: {
      CLOUDFLARE_API_BASE_URL: `${origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: "a-token",
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
    },
    account,
    takeChanges: () => changes.splice(0),
    async close() {
      server.closeAllConnections();
      server.close();
      await runtime.dispose();
    },
  };
}

const ROUTES: [RegExp, (call: Call, name: string) => Reply | Promise<Reply>][] = [
  [/^GET \/d1\/database$/, listDatabases],
  [/^POST \/d1\/database$/, createDatabase],
  [/^GET \/d1\/database\/([^/]+)$/, findDatabase],
  [/^POST \/d1\/database\/[^/]+\/query$/, runQuery],
  [/^POST \/d1\/database\/[^/]+\/import$/, runImport],
  [/^PUT \/upload$/, upload],
  [/^GET \/queues$/, findQueues],
  [/^POST \/queues$/, createQueue],
  [/^POST \/workers\/scripts\/[^/]+\/assets-upload-session$/, startAssets],
  [/^POST \/workers\/assets\/upload$/, () => ({ status: 201, result: { jwt: "uploaded" } })],
  [/^PUT \/workers\/scripts\/[^/]+$/, uploadWorker],
  [/^POST \/workers\/scripts\/[^/]+\/versions$/, uploadWorker],
  [/^GET \/workers\/services\/[^/]+$/, findWorker],
  [/^GET \/workers\/scripts\/[^/]+\/settings$/, ({ account }) => ifDeployed(account, { bindings: [] })],
  [/^GET \/workers\/scripts\/[^/]+\/secrets$/, listSecrets],
  [/^GET \/workers\/scripts\/[^/]+\/deployments$/, ({ account }) => ifDeployed(account, { deployments: [] })],
  [/^GET \/workers\/workers\/[^/]+$/, () => ({ result: { subdomain: { enabled: false, previews_enabled: false } } })],
  [/^GET \/workers\/subdomain$/, () => ({ result: { subdomain: "someone" } })],
  [/^POST \/workers\/scripts\/[^/]+\/subdomain$/, ({ body }) => ({ result: JSON.parse(body) as unknown })],
  [/^POST .*\/domains\/changeset$/, () => ({ result: { added: [], removed: [], updated: [], conflicting: [] } })],
  [/^PUT .*\/domains\/records$/, setDomains],
];

async function answer(call: Call): Promise<Reply> {
  for (const [pattern, reply] of ROUTES) {
    const match = pattern.exec(call.request);
    if (match !== null) return reply(call, match[1] ?? "");
  }
  return call.request.startsWith("GET ") ? { status: 404, code: 7003 } : {};
}

function listDatabases({ account }: Call): Reply {
  return { result: [...account.databases].map(([name, uuid]) => ({ name, uuid })) };
}

function createDatabase({ account, body }: Call): Reply {
  const { name } = JSON.parse(body) as { name: string };
  if (account.databases.has(name)) return { status: 400, code: 7502 };
  account.databases.set(name, `id-of-${name}`);
  return { result: { name, uuid: account.databases.get(name) } };
}

function findDatabase({ account }: Call, nameOrId: string): Reply {
  const found = [...account.databases].find((database) => database.includes(nameOrId));
  return found === undefined ? { status: 404, code: 7404 } : { result: { name: found[0], uuid: found[1] } };
}

async function runQuery({ account, body }: Call): Promise<Reply> {
  const query = (JSON.parse(body) as { sql: string }).sql;
  try {
    return { result: [{ results: (await account.data.prepare(query).all()).results, success: true, meta: {} }] };
  } catch {
    return { status: 400, code: 7500 };
  }
}

/** An import has three calls: "init", the upload of the file, and "ingest", which runs the file in one transaction. */
async function runImport({ account, body, origin }: Call): Promise<Reply> {
  const { action } = JSON.parse(body) as { action: string };
  if (action === "init") return { result: { success: true, upload_url: `${origin}/upload`, filename: "file" } };
  try {
    await account.data.prepare(importFile).run();
  } catch (error) {
    return { result: { success: true, status: "error", messages: [], errors: [String(error)] } };
  }
  const meta = { duration: 0, rows_read: 0, rows_written: 0, size_after: 0 };
  const result = { num_queries: 1, final_bookmark: "", meta };
  return { result: { success: true, status: "complete", messages: [], result } };
}

let importFile = "";

function upload({ body }: Call): Reply {
  importFile = body;
  return {};
}

function findQueues({ account, query }: Call): Reply {
  const found = query.getAll("name").filter((name) => account.queues.has(name));
  return { result: found.map((queue_name) => ({ queue_name, queue_id: queue_name, consumers: [] })) };
}

function createQueue({ account, body }: Call): Reply {
  const { queue_name } = JSON.parse(body) as { queue_name: string };
  account.queues.add(queue_name);
  return { result: { queue_name, queue_id: queue_name } };
}

/** Asks for the files that it does not have. Those that it asks for are uploaded next. */
function startAssets({ account, body }: Call): Reply {
  const { manifest } = JSON.parse(body) as { manifest: Record<string, { hash: string }> };
  const known = new Set(account.assets.values());
  account.assets = new Map(Object.entries(manifest).map(([path, { hash }]) => [path, hash]));
  const missing = [...new Set(account.assets.values())].filter((hash) => !known.has(hash));
  return { result: { jwt: "session", buckets: missing.length === 0 ? [] : [missing] } };
}

function uploadWorker({ account, body }: Call): Reply {
  account.worker = body;
  // An upload keeps the secrets that it does not contain.
  for (const [, name = "", value = ""] of body.matchAll(/"name":"(\w+)","type":"secret_text","text":"([^"]*)"/g)) {
    account.secrets.set(name, value);
  }
  return { result: { id: "1", startup_time_ms: 1, entry_point: "index.js", resources: { script: {} } } };
}

function listSecrets({ account }: Call): Reply {
  return ifDeployed(
    account,
    [...account.secrets.keys()].map((name) => ({ name, type: "secret_text" })),
  );
}

function findWorker({ account }: Call): Reply {
  const script = { tag: "tag", tags: null, last_deployed_from: "wrangler", migration_tag: "v1" };
  return ifDeployed(account, { default_environment: { environment: "production", script } });
}

function ifDeployed(account: Account, result: unknown): Reply {
  return account.worker === null ? NO_SUCH_WORKER : { result };
}

function setDomains({ account, body }: Call): Reply {
  account.domains = body;
  return {};
}

function md5(body: string): string {
  return createHash("md5").update(body).digest("hex");
}
