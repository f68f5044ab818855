import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import worker from "../../../src/index.ts";
import { MAX_OWN_ROW_CHARS } from "../../../src/platform/http/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { MAX_OWN_FILE_BYTES } from "../../../src/moving/imports/limits.ts";
import { MAX_OWN_CREATION_BYTES, MAX_OWN_IDS_BYTES } from "../../../src/links/limits.ts";
import { buildRequest, createAccount, type CallOptions } from "../../support/api.ts";
import { insertManyLinks } from "../../support/many-links.ts";

// Calls that compute long are answered by objects, with everything that a client sees of them.

interface Answered {
  status: number;
  headers: Headers;
  text: string;
  /** The names of the objects that did something for it, without the account. */
  objects: string[];
}

async function answer(method: string, path: string, options: CallOptions = {}): Promise<Answered> {
  const objects: string[] = [];
  const getByName = (name: string) => {
    objects.push(name.replace(/:\d+$/, ""));
    return env.JOB_RUNNER.getByName(name);
  };
  const request = buildRequest(method, path, options);
  const context = createExecutionContext();
  const response = await worker.fetch(request, { ...env, JOB_RUNNER: { getByName } as never }, context);
  const answered = { status: response.status, headers: response.headers, text: await response.text(), objects };
  await waitOnExecutionContext(context);
  return answered;
}

/** As many links as it takes for a body of this size. */
function linksOf(bytes: number): object[] {
  const each = 4_000;
  return Array.from({ length: Math.ceil(bytes / each) }, (_, n) => ({
    url: `https://example.com/${n}/${"x".repeat(each)}`,
  }));
}

const idsIn = ({ text }: Answered) =>
  (JSON.parse(text) as { results: { link: { id: string } }[] }).results.map(({ link }) => link.id);

const BULK = "/api/links/bulk";

describe("a bulk call", () => {
  it("is passed to an object above a size, and answered in the same way below it", async () => {
    const { key } = await createAccount();
    const create = (bytes: number) =>
      answer("POST", BULK, { key, address: "192.0.2.9", body: { links: linksOf(bytes) } });
    const small = await create(MAX_OWN_CREATION_BYTES / 2);
    const large = await create(MAX_OWN_CREATION_BYTES);
    expect([small.objects, large.objects]).toEqual([[], ["calls"]]);
    expect([small.status, large.status]).toEqual([200, 200]);
    expect([...large.headers.keys()].sort()).toEqual([...small.headers.keys()].sort());
    expect(large.headers.get("X-RateLimit-Remaining")).toBe("0");
    const ids = idsIn(large);
    expect(ids).toHaveLength(linksOf(MAX_OWN_CREATION_BYTES).length);

    const changes = { title: "Spring sale" };
    const [few, many] = [ids.slice(0, 3), ids];
    expect(JSON.stringify({ ids: many }).length).toBeGreaterThan(MAX_OWN_IDS_BYTES);
    const changed = await Promise.all(
      [few, many].map((of) => answer("PATCH", BULK, { key, body: { ids: of, changes } })),
    );
    expect(changed.map(({ objects }) => objects)).toEqual([[], ["calls"]]);
    expect(changed.map(idsIn)).toEqual([few, many]);
    const deleted = await Promise.all(
      [few, many.slice(3)].map((of) => answer("DELETE", BULK, { key, body: { ids: of } })),
    );
    expect(deleted.map(({ objects }) => objects)).toEqual([[], ["calls"]]);
    expect(deleted.flatMap(({ text }) => (JSON.parse(text) as { results: object[] }).results)).toEqual(
      many.map(() => ({ success: true })),
    );
  });

  it("of an assistant is not passed for one link", async () => {
    const { key } = await createAccount();
    const params = { name: "create_links", arguments: { links: [{ url: "https://example.com/" }] } };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const created = await answer("POST", "/mcp", {
      key,
      body,
      headers: { Accept: "application/json, text/event-stream" },
    });
    expect([created.status, created.objects]).toEqual([200, []]);
    expect(created.text).toContain("https://tern.test/");
  });

  it("is repeated with its Idempotency-Key by whichever answers it", async () => {
    const { key } = await createAccount();
    const options = { key, body: { links: linksOf(MAX_OWN_CREATION_BYTES) }, headers: { "Idempotency-Key": "once" } };
    const first = await answer("POST", BULK, options);
    const second = await answer("POST", BULK, options);
    expect([first.text, second.headers.get("Idempotent-Replayed")]).toEqual([second.text, "true"]);
    const other = await answer("POST", BULK, { ...options, address: "192.0.2.77", body: { links: linksOf(100) } });
    expect([other.status, other.objects]).toEqual([409, []]);
  });

  it("is refused in the object with the same error and the same log line", async () => {
    const { key, keyId } = await createAccount();
    const lines: string[] = [];
    vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
    const body = { links: Array.from({ length: 101 }, () => ({ url: `https://example.com/${"x".repeat(2_000)}` })) };
    const { status, headers, text, objects } = await answer("POST", BULK, { key, body });
    expect([status, objects]).toEqual([400, ["calls"]]);
    expect(JSON.parse(text)).toMatchObject({ code: "invalid_request", details: [{ path: "links", code: "too_many" }] });
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        event: "request",
        requestId: headers.get("X-Request-Id"),
        path: BULK,
        status: 400,
        code: "invalid_request",
        caller: keyId,
      }),
    ]);
    expect([...headers.keys()].filter((name) => /passed|error/.test(name))).toEqual([]);
  });

  it("is refused before it gets to an object without a key, without the permission, and above the limit of calls", async () => {
    const { key } = await createAccount();
    const reader = await createAccount(["links:read"]);
    const body = { links: linksOf(MAX_OWN_CREATION_BYTES) };
    const answers = [await answer("POST", BULK, { body }), await answer("POST", BULK, { key: reader.key, body })];
    const address = "192.0.2.9";
    for (let call = 1; call <= 3; call++) answers.push(await answer("POST", BULK, { key, body, address }));
    expect(answers.map(({ status, objects }) => [status, objects.length])).toEqual([
      [401, 0],
      [403, 0],
      [200, 1],
      [200, 1],
      [429, 0],
    ]);
  });

  it("of a client cannot say who its caller is", async () => {
    const { key, accountId } = await createAccount();
    const context = encodeURIComponent(JSON.stringify({ principal: { accountId, permissions: ["links:write"] } }));
    const headers = { "X-Passed-Context": context };
    const anonymous = await answer("POST", BULK, { headers, body: { links: linksOf(MAX_OWN_CREATION_BYTES) } });
    expect([anonymous.status, anonymous.objects]).toEqual([401, []]);
    const other = await createAccount();
    const created = await answer("POST", BULK, {
      key: other.key,
      headers,
      body: { links: linksOf(MAX_OWN_CREATION_BYTES) },
    });
    const [id] = idsIn(created);
    expect((await answer("GET", `/api/links/${id}`, { key: other.key })).status).toBe(200);
    expect((await answer("GET", `/api/links/${id}`, { key })).status).toBe(403);
  });
});

it("a file of clicks is written by an object, and a page of them is not", async () => {
  const { key } = await createAccount();
  const [file, accepted, page] = await Promise.all([
    answer("GET", "/api/clicks/records?format=csv", { key }),
    answer("GET", "/api/clicks/records", { key, headers: { Accept: "text/csv" } }),
    answer("GET", "/api/clicks/records", { key }),
  ]);
  expect([file.objects, accepted.objects, page.objects]).toEqual([["calls"], ["calls"], []]);
  expect(file.text).toMatch(/^id,linkId,/);
  expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(file.headers.get("Content-Disposition")).toContain("clicks.csv");
});

it("a large file to import is stored by an object", async () => {
  const { key } = await createAccount();
  const headers = { "Content-Type": "text/csv" };
  const rowsOf = (bytes: number) => `url,title\n${`https://example.com/,${"x".repeat(1_000)}\n`.repeat(bytes / 1_000)}`;
  const small = await answer("POST", "/api/imports", { key, headers, body: rowsOf(10_000) });
  const large = await answer("POST", "/api/imports", { key, headers, body: rowsOf(MAX_OWN_FILE_BYTES) });
  expect([small.status, small.objects]).toEqual([202, ["jobs"]]);
  expect([large.status, large.objects]).toEqual([202, ["calls"]]);
});

it("a code with a style is drawn by an object, unless it is an SVG", async () => {
  const { key } = await createAccount();
  const draw = (body: object) => answer("POST", "/api/qr", { key, body: { content: "https://tern.test/a", ...body } });
  const codes = [
    await draw({ format: "png" }),
    await draw({ format: "svg", dots: "round" }),
    await draw({ format: "png", dots: "round" }),
    await draw({ format: "pdf", dots: "round" }),
  ];
  expect(codes.map(({ status, objects }) => [status, objects])).toEqual([
    [200, []],
    [200, []],
    [200, ["codes"]],
    [200, ["codes"]],
  ]);
  const broken = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAAAAAAAAAAASUVORK5CYII=";
  const refused = await draw({ format: "png", level: "H", logo: broken });
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([400, { details: [{ path: "logo" }] }]);
});

it("a page of links or domains whose response is large is written by an object, and counted once as a call", async () => {
  const { key, accountId } = await createAccount();
  await insertManyLinks(env.DB, accountId, 60);
  const address = "192.0.2.9";
  const list = () => answer("GET", "/api/links?limit=60", { key, address });
  const small = await list();
  await env.DB.prepare("UPDATE links SET title = printf('%.*c', ?2, 'x') WHERE account_id = ?1")
    .bind(accountId, Math.ceil(MAX_OWN_ROW_CHARS / 60))
    .run();
  const large = await list();
  expect([small.objects, large.objects]).toEqual([[], ["calls"]]);
  const idsOf = ({ text }: Answered) => (JSON.parse(text) as { links: { id: string }[] }).links.map(({ id }) => id);
  expect([large.status, idsOf(large)]).toEqual([200, idsOf(small)]);
  const remaining = [small, large].map(({ headers }) => Number(headers.get("X-RateLimit-Remaining")));
  expect(remaining[0]).toBe((remaining[1] ?? 0) + 1);

  const add = env.DB.prepare(
    `INSERT INTO domains (id, account_id, domain, token, status, check_at, verified_at, created_at, updated_at, asset_links)
     VALUES (?1, ?2, ?3, '', 'verified', 0, 0, 0, 0, ?4)`,
  );
  const files = JSON.stringify([{ relation: ["x".repeat(MAX_OWN_ROW_CHARS / 2)] }]);
  await env.DB.batch([1, 2].map((n) => add.bind(newId(n), accountId, `go${n}.acme.com`, files)));
  const domains = await answer("GET", "/api/domains", { key });
  expect([domains.status, domains.objects]).toEqual([200, ["calls"]]);
  const kept = await answer("DELETE", `/api/domains/${newId(1)}?force=false`, { key });
  const deleted = await answer("DELETE", `/api/domains/${newId(1)}?force=true`, { key });
  expect([kept.objects, deleted.objects]).toEqual([[], ["calls"]]);
});
