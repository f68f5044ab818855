import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccount, createLink } from "./support/accounts.ts";
import { buildWorker, type Metafile } from "./support/build.ts";
import { startService, type Service } from "./support/service.ts";

let service: Service<"writer" | "visited" | "first">;

beforeAll(async () => {
  service = await startService({ writer: "one", visited: "two", first: "three" }, { recordsModules: true });
});
afterAll(() => service.stop());

const API_MODULE =
  /node_modules\/(hono|zod|@hono|uuid|ipaddr\.js)\/|^src\/(app|cron)\.ts$|^src\/(platform\/(http|auth)|access|identity|links)\//;

/** Imported on demand: for changes, for links with a password or a preview, and for the destination preview. */
const ON_DEMAND =
  /^src\/redirect\/(lookup\/publish|password\/.*|destination-preview|pages\/(link-preview|texts\/(?!en\.).*))\.ts$|^src\/platform\/lib\/(read-limited|hmac|encryption|password)\.ts$/;

// Budgets, listed in CONTRIBUTING.md. Find out why a change exceeds one, and take something away.

/** Size of the uploaded script, minified. */
const MAX_UPLOAD_GZIP_BYTES = 855_000;
/** Size of the modules that are evaluated for the first redirect, minified. */
const MAX_EVALUATED_BYTES = 50_400;
const MAX_EVALUATED_MODULES = 57;

/** The modules that are evaluated when the Worker starts. */
function staticImports({ inputs }: Metafile): string[] {
  const reached = new Set(["src/index.ts"]);
  for (const path of reached) {
    for (const { path: imported, kind, external } of inputs[path]?.imports ?? []) {
      if (kind !== "dynamic-import" && external !== true) reached.add(imported);
    }
  }
  return [...reached];
}

type Sizes = Metafile["outputs"][string]["inputs"];

it("evaluates no module of the API at the start", async () => {
  const { metafile } = await buildWorker();
  const reached = staticImports(metafile);
  expect(reached).toContain("src/redirect/redirect.ts");
  expect(reached.filter((path) => API_MODULE.test(path))).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((path) => API_MODULE.test(path))).not.toEqual([]);
});

it("evaluates no code of Durable Objects at the start", async () => {
  const { metafile } = await buildWorker();
  const ofObjects =
    /^src\/(platform\/rate-limit|identity\/people|jobs)\/|^src\/click-log\/log\/|^src\/safety\/screener\//;
  expect(staticImports(metafile).filter((path) => ofObjects.test(path))).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((path) => ofObjects.test(path))).not.toEqual([]);
});

it("has the texts of zod in English only, and replaces no module of another package with them", async () => {
  const { inputs } = (await buildWorker()).metafile;
  const importers = Object.keys(inputs).filter((path) =>
    inputs[path]?.imports.some(({ original }) => original === "../locales/index.js"),
  );
  expect(importers.toSorted()).toEqual([
    "node_modules/zod/v4/classic/external.js",
    "node_modules/zod/v4/core/index.js",
  ]);
  const texts = Object.keys(inputs).filter((path) => path.includes("/zod/v4/locales/"));
  expect(texts).toEqual(["node_modules/zod/v4/locales/en.js"]);
});

it("keeps the upload within its budget", async () => {
  const { script } = await buildWorker();
  const bytes = gzipSync(script).length;
  console.log(`uploaded: ${bytes} bytes, gzipped`);
  expect(bytes).toBeLessThanOrEqual(MAX_UPLOAD_GZIP_BYTES);
});

it("keeps the modules evaluated for the first redirect within their budget", async () => {
  const { writer, first } = service.isolates;
  const { key } = await createAccount(service.db);
  await createLink(writer, key, { url: "https://example.com/", slug: "first" });
  // Not a click: the flush of its buffer, a quarter of a second later, evaluates more.
  expect((await first.get("/first", { "Sec-Purpose": "prefetch" })).status).toBe(302);
  const { metafile } = await buildWorker();
  const evaluated = new Set([...staticImports(metafile), ...(await first.state()).evaluatedModules]);
  const sizes = Object.assign({}, ...Object.values(metafile.outputs).map(({ inputs }) => inputs)) as Sizes;
  let bytes = 0;
  for (const path of evaluated) bytes += sizes[path]?.bytesInOutput ?? 0;
  console.log(`evaluated until the first redirect: ${bytes} bytes of ${evaluated.size} modules`);
  expect(evaluated.size).toBeLessThanOrEqual(MAX_EVALUATED_MODULES);
  expect(bytes).toBeLessThanOrEqual(MAX_EVALUATED_BYTES);
  // The modules were found.
  expect(bytes).toBeGreaterThan(30_000);
});

it("serves links, from the database and from the memory cache, without evaluating the API", async () => {
  const { writer, visited } = service.isolates;
  const { key } = await createAccount(service.db);
  await createLink(writer, key, { url: "https://example.com/", slug: "start-up" });
  const evaluated = (await writer.state()).evaluatedModules;
  for (const part of ["/hono/", "/zod/", "src/app.ts", "src/links/routes.ts"]) {
    expect(evaluated).toContainEqual(expect.stringContaining(part));
  }

  for (const path of ["/start-up", "/start-up", "/unknown", "/", "/robots.txt"]) await visited.get(path);
  expect((await visited.get("/start-up")).headers["location"]).toBe("https://example.com/");
  const needless = (await visited.state()).evaluatedModules.filter(
    (path) => API_MODULE.test(path) || ON_DEMAND.test(path),
  );
  expect(needless).toEqual([]);

  await createLink(writer, key, { url: "https://example.com/", slug: "locked", password: "correct horse" });
  const hash = await service.db.prepare("SELECT password_hash FROM links WHERE slug = 'locked'").first("password_hash");
  expect(hash).toMatch(/^test\.[\w+/]{16}\.[\w+/]{43}=$/);
  expect((await visited.get("/locked", { Cookie: "link_permission=9999999999999.AAAA" })).status).toBe(401);
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const guessed = await visited.request("POST", "/locked", { headers: form, body: "password=correct+horse" });
  expect(guessed.status).toBe(303);
  const parts = (await visited.state()).evaluatedModules;
  expect(parts.filter((path) => ON_DEMAND.test(path))).toHaveLength(9);
  expect(parts.filter((path) => API_MODULE.test(path) && !path.includes("/ipaddr.js/"))).toEqual([]);

  await visited.get("/api/openapi.json");
  expect((await visited.state()).evaluatedModules).toContain("src/app.ts");
});
