import { beforeAll, describe, expect, it } from "vitest";
import { PERMISSIONS, type Permission } from "../../../src/platform/auth/permissions.ts";
import { addKey, call, createAccount, jsonOf } from "../../support/api.ts";
import { createLinkAt, insertDomain } from "../../support/domains.ts";

const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

interface Operation {
  method: string;
  path: string;
  description: string;
}

/** The operations of the OpenAPI document that accept a key. */
async function readOperations(): Promise<Operation[]> {
  const { paths } = await jsonOf<{
    paths: Record<string, Record<string, { description?: string; security?: Record<string, unknown>[] }>>;
  }>(await call("GET", "/api/openapi.json"));
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security = [] }]) => security.some((each) => "apiKey" in each))
      .map(([method, { description = "" }]) => ({ method: method.toUpperCase(), path, description })),
  );
}

/** The permission of the resource that the operation reads or changes. null: it reads and changes none. */
function permissionFor({ method, path }: Operation): Permission | null {
  const segments = path.split("/").slice(2);
  const [first = ""] = segments;
  // An export also needs the permission of what it reads, which its body says: test/moving/exports/files-access.test.ts.
  if (first === "bulk" || first === "exports" || first === "imports") return "bulk";
  if (segments.includes("clicks")) return "clicks:read";
  if (first === "shared-pages") return method === "GET" ? "clicks:read" : "links:write";
  // A poll prolongs the life of the listener: only the list is a read.
  if (first === "listeners") return path === "/api/listeners" && method === "GET" ? "webhooks:read" : "webhooks:write";
  if (["/api/qr", "/api/usage", "/api/keys/current"].includes(path)) return null;
  // A check of a slug reads for somebody who is about to create a link.
  if (first === "slugs") return "links:write";
  const resources: Record<string, string> = {
    tags: "links",
    jobs: "links",
    shorten: "links",
    "utm-templates": "links",
    notes: "links",
    "request-log": "keys",
  };
  const resource = first === "deep-links" ? segments[1] : (resources[first] ?? first);
  return `${resource}:${method === "GET" ? "read" : "write"}` as Permission;
}

/** Those that change links in the background need a second permission. */
const CHANGES_LINKS = new Set([
  "POST /api/bulk",
  "POST /api/bulk/{id}/resume",
  "POST /api/bulk/{id}/undo",
  "POST /api/imports",
  "PATCH /api/imports/{id}",
  "POST /api/imports/{id}/start",
  "POST /api/imports/{id}/resume",
  "POST /api/imports/{id}/undo",
]);

/** So do those that show clicks to others. */
const SHOWS_CLICKS = /^(POST|PATCH|DELETE) \/api\/shared-pages/;

function alsoNeeds({ method, path }: Operation): Permission[] {
  const name = `${method} ${path}`;
  if (SHOWS_CLICKS.test(name)) return ["clicks:read"];
  return CHANGES_LINKS.has(name) ? ["links:write"] : [];
}

/** The answer to a key without the permission. */
const lacks = (permission: string) => ({
  code: "forbidden",
  details: [{ path: "", code: "lacks_permission", resource: "key", allowed: [permission] }],
});

describe("every operation", () => {
  let operations: Operation[];
  beforeAll(async () => {
    operations = await readOperations();
  });

  it("names its permission in the OpenAPI document: that of the resource which it reads or changes", () => {
    expect(operations.length).toBeGreaterThan(40);
    for (const operation of operations) {
      const permission = permissionFor(operation);
      if (permission !== null) expect(PERMISSIONS).toContain(permission);
      const others = alsoNeeds(operation).map((name) => ` and \`${name}\``);
      const named =
        permission === null
          ? "Any API key is accepted."
          : `Permission${others.length > 0 ? "s" : ""}: \`${permission}\`${others.join("")}.`;
      expect(operation.description, `${operation.method} ${operation.path}`).toContain(named);
    }
  });

  it("accepts a key with only its permission, and refuses one with all others", async () => {
    for (const permission of PERMISSIONS) {
      const others = PERMISSIONS.filter((name) => name !== permission);
      const [only, without, both] = await Promise.all([
        createAccount([permission]),
        createAccount(others),
        createAccount([permission, "links:write", "clicks:read"]),
      ]);
      for (const operation of operations.filter((each) => (permissionFor(each) ?? permission) === permission)) {
        const { method, path } = operation;
        const body = method === "GET" || method === "DELETE" ? undefined : {};
        const target = path.replaceAll(/\{\w+\}/g, SOME_ID);
        const [second] = alsoNeeds(operation);
        const key = second === undefined ? only.key : both.key;
        const accepted = await call(method, target, { key, body });
        expect([method, path, accepted.status]).toEqual([method, path, expect.toBeOneOf([200, 202, 400, 404, 426])]);
        if (second !== undefined) {
          const lacking = await jsonOf(await call(method, target, { key: only.key, body }));
          expect(lacking).toMatchObject(lacks(second));
        }
        const refused = await call(method, target, { key: without.key, body });
        if (permissionFor(operation) === null) expect(refused.status).toBe(accepted.status);
        else
          expect([method, path, refused.status, await jsonOf(refused)]).toMatchObject([
            method,
            path,
            403,
            lacks(permission),
          ]);
      }
    }
  });
});

it("the deletion of a domain with its links needs links:write too", async () => {
  const { accountId, key } = await createAccount();
  const id = await insertDomain(accountId, "go.acme.com");
  await createLinkAt("go.acme.com", key, { slug: "used" });
  const onlyDomains = await addKey(accountId, ["domains:write"]);
  const refused = await call("DELETE", `/api/domains/${id}?force=true`, { key: onlyDomains.key });
  expect(refused.status).toBe(403);
  expect(await jsonOf(refused)).toMatchObject(lacks("links:write"));
  expect((await call("DELETE", `/api/domains/${id}`, { key: onlyDomains.key })).status).toBe(409);
  const both = await addKey(accountId, ["domains:write", "links:write"]);
  expect((await call("DELETE", `/api/domains/${id}?force=true`, { key: both.key })).status).toBe(200);
});

describe("the operations of one webhook", () => {
  /** Operations that show events, or change what receivers get, with a body that is accepted. */
  const NEED_EVENTS: Record<string, object | undefined> = {
    "PATCH /api/webhooks/{id}": { url: "https://hooks.receiver.dev/other" },
    "GET /api/webhooks/{id}/deliveries/{deliveryId}": undefined,
    "POST /api/webhooks/{id}/deliveries/{deliveryId}/retry": undefined,
    "POST /api/webhooks/{id}/deliveries/retry": { since: 0 },
    "POST /api/webhooks/{id}/rotate-secret": undefined,
  };
  /** Operations that need only their own permission. */
  const OTHERS = [
    "GET /api/webhooks/{id}",
    "POST /api/webhooks/{id}",
    "GET /api/webhooks/{id}/deliveries",
    "DELETE /api/webhooks/{id}",
  ];

  it("need the permissions to read all of its events if they show or redirect them", async () => {
    const operations = (await readOperations()).filter(({ path }) => path.startsWith("/api/webhooks/{id}"));
    const names = operations.map(({ method, path }) => `${method} ${path}`);
    expect(names.toSorted()).toEqual([...Object.keys(NEED_EVENTS), ...OTHERS].toSorted());
    const { accountId, key } = await createAccount();
    const body = { url: "https://hooks.receiver.dev/in", events: ["link.create", "link.click", "domain.lost"] };
    const { webhook } = await jsonOf<{ webhook: { id: string } }>(await call("POST", "/api/webhooks", { key, body }));
    const all = PERMISSIONS.filter((name) => name !== "keys:write");
    for (const permission of ["links:read", "clicks:read", "domains:read"] as const) {
      const { key: without, keyId } = await addKey(
        accountId,
        all.filter((name) => name !== permission),
      );
      for (const name of Object.keys(NEED_EVENTS)) {
        const [method = "", path = ""] = name.split(" ");
        const target = path.replace("{id}", webhook.id).replace("{deliveryId}", SOME_ID);
        const refused = await call(method, target, { key: without, body: NEED_EVENTS[name] });
        expect([name, refused.status, await jsonOf(refused)]).toMatchObject([name, 403, lacks(permission)]);
      }
      await call("DELETE", `/api/keys/${keyId}`, { key });
    }
    const { key: bare } = await addKey(accountId, ["webhooks:read", "webhooks:write"]);
    for (const name of OTHERS) {
      const [method = "", path = ""] = name.split(" ");
      const response = await call(method, path.replace("{id}", webhook.id), { key: bare });
      expect([name, response.status]).toEqual([name, 200]);
    }
  });
});
