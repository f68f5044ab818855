import { beforeEach, expect, it } from "vitest";
import { call, createAccount, jsonOf } from "../../support/api.ts";

/** Requests for one resource. `{}` is its id. */
interface Resource {
  create: readonly [path: string, body: object];
  /** What has to be there before. */
  before?: readonly [path: string, body: object];
  calls: readonly (readonly [method: string, path: string, body?: object])[];
}

const url = "https://example.com/";

const RESOURCES: Readonly<Record<string, Resource>> = {
  link: {
    create: ["/api/links", { url, tags: ["a"] }],
    calls: [
      ["GET", "/api/links/{}"],
      ["PATCH", "/api/links/{}", { title: "stolen" }],
      ["GET", "/api/links/{}/clicks"],
      ["DELETE", "/api/links/{}"],
    ],
  },
  webhook: {
    create: ["/api/webhooks", { url: "https://example.com/hook", events: ["link.create"] }],
    calls: [
      ["GET", "/api/webhooks/{}"],
      ["PATCH", "/api/webhooks/{}", { status: "inactive" }],
      ["GET", "/api/webhooks/{}/deliveries"],
      ["DELETE", "/api/webhooks/{}"],
    ],
  },
  domain: {
    create: ["/api/domains/add", { domain: "go.acme.com" }],
    calls: [
      ["GET", "/api/domains/{}"],
      ["DELETE", "/api/domains/{}"],
    ],
  },
  listener: {
    create: ["/api/listeners", { events: ["link.create"] }],
    calls: [
      ["GET", "/api/listeners/{}/events"],
      ["DELETE", "/api/listeners/{}"],
    ],
  },
  "shared page": {
    before: ["/api/links", { url, tags: ["a"] }],
    create: ["/api/shared-pages", { tag: "a" }],
    calls: [
      ["GET", "/api/shared-pages/{}"],
      ["PATCH", "/api/shared-pages/{}", { title: "stolen" }],
      ["DELETE", "/api/shared-pages/{}"],
    ],
  },
  "UTM template": {
    create: ["/api/utm-templates", { name: "Newsletter", utm: { source: "mail" } }],
    calls: [
      ["PATCH", "/api/utm-templates/{}", { name: "stolen" }],
      ["DELETE", "/api/utm-templates/{}"],
    ],
  },
  note: {
    create: ["/api/notes", { at: 1_790_000_000_000, text: "Mail sent" }],
    calls: [
      ["PATCH", "/api/notes/{}", { text: "stolen" }],
      ["DELETE", "/api/notes/{}"],
    ],
  },
  key: { create: ["/api/keys", { name: "k", permissions: ["links:read"] }], calls: [["DELETE", "/api/keys/{}"]] },
  "bulk job": {
    create: ["/api/bulk", { filter: {}, changes: { title: "t" } }],
    calls: [
      ["GET", "/api/bulk/{}"],
      ["POST", "/api/bulk/{}/cancel"],
    ],
  },
};

let owner: Awaited<ReturnType<typeof createAccount>>;
let stranger: typeof owner;

beforeEach(async () => {
  owner = await createAccount();
  stranger = await createAccount();
});

async function create({ before, create: [path, body] }: Resource, key: string): Promise<string> {
  if (before !== undefined) await call("POST", before[0], { key, body: before[1] });
  const response = await call("POST", path, { key, body });
  expect(response.ok, path).toBe(true);
  const json = await jsonOf<Record<string, { id?: string } | undefined>>(response);
  const id = Object.values(json).find((member) => member?.id !== undefined)?.id;
  return id ?? (json["id"] as unknown as string);
}

async function statusesOf({ calls }: Resource, id: string, key: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const [method, path, body] of calls)
    statuses.push((await call(method, path.replace("{}", id), { key, ...(body && { body }) })).status);
  return statuses;
}

it.each(Object.entries(RESOURCES))("is 403 for a %s of any other account", async (_, resource) => {
  const id = await create(resource, owner.key);
  expect(await statusesOf(resource, id, stranger.key)).toEqual(resource.calls.map(() => 403));
  const own = await statusesOf(resource, id, owner.key);
  expect(own.filter((status) => status >= 300)).toEqual([]);
});
