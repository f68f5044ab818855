import { gzipSync } from "node:zlib";
import { parse } from "smol-toml";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { splitConfiguration, writeSplitFiles } from "../../scripts/split.ts";
import { CONFIG_FILE, ROOT } from "../../scripts/wrangler.ts";
import { buildWorker, type Build } from "../e2e/support/build.ts";

const MAIN = "src/redirect-worker.ts";

/** The folders and files of src whose modules the redirect Worker may have. */
const ALLOWED =
  /^src\/(api-paths|duration|limits|redirect-worker|serve-request)\.ts$|^src\/(clicks\/capture|database|directory|lib|redirect|safety|visitor)\/|^src\/clicks\/[\w-]+\.ts$/;

/** Of those, modules that only the full Worker has: pages and forms of the service, and what needs its secrets. */
const FULL_WORKER_ONLY =
  /^src\/lib\/(encryption|hmac|password|token)\.ts$|^src\/redirect\/(service-pages|password\/password-(cookie|form)|pages\/(app-page|document|security-text))\.ts$/;

/** Size of the uploaded script, which is not minified. A third of it are texts for visitors in eight languages. */
const MAX_UPLOAD_GZIP_BYTES = 62 * 1_024;
/** Size of the modules that are evaluated when the Worker starts. */
const MAX_EVALUATED_BYTES = 77 * 1_024;

let build: Build;
beforeAll(async () => {
  const { redirect } = await writeSplitFiles(CONFIG_FILE, undefined);
  build = await buildWorker(MAIN, redirect);
});

/** The modules of the bundle, with their sizes in it. */
function modules(): [path: string, bytes: number][] {
  return Object.values(build.metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).map(([path, { bytesInOutput }]): [string, number] => [path, bytesInOutput]),
  );
}

/** The modules that the entry point imports, and those that they import, without those that are imported on demand. */
function staticImports(): Set<string> {
  const reached = new Set([MAIN]);
  for (const path of reached)
    for (const { path: imported, kind, external } of build.metafile.inputs[path]?.imports ?? [])
      if (kind !== "dynamic-import" && external !== true) reached.add(imported);
  return reached;
}

describe("the redirect Worker", () => {
  it("has modules of redirects only: none of the API, of packages, or that needs a secret", () => {
    const paths = modules().map(([path]) => path);
    expect(paths).toContain("src/redirect/redirect.ts");
    expect(paths.filter((path) => !ALLOWED.test(path) || FULL_WORKER_ONLY.test(path))).toEqual([]);
  });

  it("uses the bindings that its configuration has, and no other", () => {
    const used = new Set(Array.from(build.script.matchAll(/\benv\d*\.([A-Z][A-Z_]*)\b/g), ([, name = ""]) => name));
    const config = parse(readFileSync(CONFIG_FILE, "utf8")) as unknown as Parameters<typeof splitConfiguration>[0];
    const { vars, d1_databases, durable_objects, queues, services } = splitConfiguration(config, ROOT)
      .redirect as unknown as Record<"vars", object> &
      Record<"d1_databases" | "services", { binding: string }[]> & {
        durable_objects: { bindings: { name: string }[] };
        queues: { producers: { binding: string }[] };
      };
    const configured = [
      ...Object.keys(vars),
      ...[...d1_databases, ...queues.producers, ...services].map(({ binding }) => binding),
      ...durable_objects.bindings.map(({ name }) => name),
    ];
    expect([...used].toSorted()).toEqual(configured.toSorted());
    expect(configured.toSorted()).toEqual([
      "ANONYMOUS_HOST",
      "BASE_URL",
      "CLICKS",
      "CLICK_LOG",
      "DB",
      "FULL_WORKER",
      "NOT_RECORDED",
    ]);
  });

  it("is small, and evaluates little when it starts", () => {
    const upload = gzipSync(build.script).length;
    const reached = staticImports();
    let evaluated = 0;
    for (const [path, bytes] of modules()) if (reached.has(path)) evaluated += bytes;
    console.log(
      `redirect Worker: ${upload} bytes, gzipped; ${evaluated} bytes of ${reached.size} modules at the start`,
    );
    expect(upload).toBeLessThanOrEqual(MAX_UPLOAD_GZIP_BYTES);
    expect(evaluated).toBeLessThanOrEqual(MAX_EVALUATED_BYTES);
    // The modules were found.
    expect(evaluated).toBeGreaterThan(20_000);
  });
});
