import { vi } from "vitest";

const API = "https://api.cloudflare.com/client/v4";
const ZONE = "023e105f4ecef8ad9ca31a8372d0c353";
const TOKEN = "token-of-the-operator";

interface Hostname {
  id: string;
  hostname: string;
  status: string;
  ssl: { status: string; method: string; type: string; validation_errors?: { message: string }[] };
  verification_errors?: string[];
}

/** A fake of the API of Cloudflare for SaaS, by its documentation. */
export class Saas {
  readonly hostnames = new Map<string, Hostname>();
  /** Method and path of each call. */
  readonly calls: string[] = [];
  /** The outcomes of the next calls, instead of regular responses. */
  failures: (Response | Error)[] = [];
  isDown = false;
  /** Runs after a hostname is created and before the response. */
  onCreated: () => Promise<void> = () => Promise.resolve();
  #created = 0;

  readonly bindings: object = {
    CLOUDFLARE_SAAS_ZONE_ID: ZONE,
    CLOUDFLARE_SAAS_TOKEN: TOKEN,
  };

  start(): void {
    const original = globalThis.fetch;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input, init);
      if (!request.url.startsWith(API)) return original(request);
      const response = await this.#respond(request);
      const location = response.headers.get("Location");
      return location === null || request.redirect === "manual" ? response : original(location, init);
    });
  }

  names(): string[] {
    return [...this.hostnames.values()].map(({ hostname }) => hostname);
  }

  takeCalls(): string[] {
    return this.calls.splice(0);
  }

  async #respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const rest = pathname.slice(new URL(API).pathname.length);
    const path = rest.replace(`/zones/${ZONE}/custom_hostnames`, "");
    this.calls.push(`${request.method} ${path}`.trim());
    if (request.headers.get("Authorization") !== `Bearer ${TOKEN}` || path === rest)
      return failed(403, 10_000, "Authentication error");
    const failure = this.isDown ? new Error("Network connection lost.") : this.failures.shift();
    if (failure instanceof Error) throw failure;
    if (failure !== undefined) return failure;
    if (request.method === "POST") return this.#create(await request.json());
    if (path === "") {
      const wanted = searchParams.get("hostname") ?? "";
      return succeeded([...this.hostnames.values()].filter(({ hostname }) => hostname.includes(wanted)));
    }
    const hostname = this.hostnames.get(path.slice(1));
    if (hostname === undefined) return failed(404, 1_436, "The custom hostname was not found.");
    if (request.method !== "DELETE") return succeeded(hostname);
    this.hostnames.delete(hostname.id);
    return Response.json({ id: hostname.id });
  }

  async #create({ hostname, ssl }: Hostname): Promise<Response> {
    if (this.names().includes(hostname)) return failed(409, 1_406, "Duplicate custom hostname found.");
    if (ssl.method !== "http" || ssl.type !== "dv") return failed(400, 1_423, "Unknown kind of certificate.");
    const created = {
      id: `hostname-${++this.#created}`,
      hostname,
      status: "pending",
      ssl: { ...ssl, status: "initializing" },
    };
    this.hostnames.set(created.id, created);
    await this.onCreated();
    return succeeded(created, 201);
  }

  /** Sets the state of a hostname. */
  set(name: string, state: { status: string; ssl: string; error?: string }): void {
    for (const hostname of this.hostnames.values()) {
      if (hostname.hostname !== name) continue;
      hostname.status = state.status;
      hostname.ssl.status = state.ssl;
      hostname.ssl.validation_errors = state.error === undefined ? [] : [{ message: state.error }];
    }
  }
}

function succeeded(result: unknown, status = 200): Response {
  return Response.json({ success: true, errors: [], messages: [], result }, { status });
}

export function failed(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { success: false, errors: [{ code, message }], messages: [], result: null },
    { status, headers },
  );
}
