import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type Plugin } from "vitest/config";
import { forks } from "./test/forks.ts";
import { LongestFirst } from "./test/sequencer.ts";
import { memoryStorage } from "./test/support/memory-storage.ts";

process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
process.env["WRANGLER_SEND_METRICS"] = "false";
// Databases wait for no disk.
process.env["TMPDIR"] ??= memoryStorage() ?? tmpdir();
// The commands and the runtime's library are compiled once, and not in each process.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/node");
process.env["ENCRYPTION_KEYS"] = `test:${Buffer.alloc(32, "k").toString("base64")}`;

const COMMON = {
  provide: { isNightly: process.env["NIGHTLY"] !== undefined },
  // Three files at a time, from all projects that run.
  maxWorkers: 3,
  // For tests that hang. No test may depend on the machine's speed, so these are far above what any test takes.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

/**
 * Imports the Worker's lazy modules at once. The test runner asks its server for a module at each `import()`, and two Durable
 * Objects that import the same one at the same time would wait for the answer to the first, which the runtime forbids.
 */
const eagerImports: Plugin = {
  name: "eager-imports",
  transform(code, id) {
    if (!id.startsWith(join(import.meta.dirname, "src"))) return null;
    let imports = "";
    let number = 0;
    const changed = code.replace(/\bimport\(("(?!node:)[^"]+")\)/g, (_, path: string) => {
      imports += `import * as lazy${++number} from ${path};`;
      return `Promise.resolve(lazy${number})`;
    });
    return number === 0 ? null : { code: imports + changed, map: null };
  },
};

/** SQLite copies the rest of the text for each statement, before each test. */
const withoutComments = (sql: string): string => sql.replaceAll(/--.*/g, "").replaceAll(/\s+/g, " ");

/** Files that are too dear for each merge (docs/testing.md). */
const NIGHTLY = "test/**/*.nightly.test.ts";
/** `WITHOUT=safety`: the Worker is built without the optional wing, and what tests the wing does not run. */
const isWithoutSafety = process.env["WITHOUT"] === "safety";
const NOT_IN_BUILD = isWithoutSafety ? "test/safety/**" : "test/no-safety.test.ts";
/** Files with a part that runs at each merge. With `isNightly`, which `NIGHTLY` sets, they run the rest too. */
const DEEPER = "test/e2e/{fuzz,qr-decoders,webhooks-crash}.test.ts";

export default defineConfig({
  test: {
    // The pages and documents of the Worker are files (wrangler.toml).
    globalSetup: ["./test/build-assets.ts", "./test/build-packages.ts"],
    // Hides the Worker's log lines. Tests of a log line read it themselves.
    onConsoleLog: (line) => !line.startsWith('{"event":'),
    sequence: { sequencer: LongestFirst },
    coverage: { provider: "istanbul", include: ["src/**"] },
    projects: [
      {
        // Inside workerd, through the Worker's fetch handler. Each test starts with empty storage (test/setup.ts).
        plugins: [
          eagerImports,
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                BASE_URL: "https://tern.test",
                // Tests of the watch call it themselves.
                DESTINATION_WATCH: "off",
                // They would wait for its flush.
                NOT_RECORDED: "orphan-visits, requests",
                ENCRYPTION_KEYS: process.env["ENCRYPTION_KEYS"],
                // .dev.vars may say otherwise.
                WRANGLER_DEV: "",
                SCHEMA: withoutComments(readFileSync("schema.sql", "utf8")),
              },
              // Vitest talks to its runtime by WebSockets on this machine, where compression only takes CPU.
              compatibilityFlags: ["service_binding_extra_handlers", "no_web_socket_compression"],
              // Answers every request that the Worker sends to the internet.
              outboundService: "internet",
              serviceBindings: { INTERNET: "internet" },
              workers: [
                {
                  name: "internet",
                  modules: true,
                  compatibilityDate: "2026-10-20",
                  script: readFileSync("test/support/internet.js", "utf8"),
                },
              ],
            },
          }),
        ],
        resolve: { alias: isWithoutSafety ? { "#safety": join(import.meta.dirname, "src/no-safety.ts") } : {} },
        test: {
          name: "workers",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{architecture,e2e,tools,docs,browser,packages}/**", NIGHTLY, NOT_IN_BUILD],
          setupFiles: ["./test/setup.ts"],
          isolate: false,
          ...COMMON,
        },
      },
      {
        // In Node: the built Worker in its local runtime, and the project's commands.
        test: {
          name: "node",
          pool: forks,
          // The files of a process share the modules of node_modules, which take most of a short file's time.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
          include: ["test/{architecture,e2e,tools,docs,packages}/**/*.test.ts"],
          exclude: [NIGHTLY],
          setupFiles: ["./test/node-setup.ts"],
          // Node refuses its imports of JSON files.
          server: { deps: { inline: [/\/@actions\//] } },
          ...COMMON,
        },
      },
      {
        // Like "node".
        test: {
          name: "nightly",
          pool: forks,
          include: [NIGHTLY, DEEPER],
          setupFiles: ["./test/node-setup.ts"],
          ...COMMON,
          // Some take a minute on an idle machine.
          testTimeout: 900_000,
          hookTimeout: 900_000,
          expect: { poll: { timeout: 300_000 } },
        },
      },
      {
        test: {
          name: "browser",
          pool: forks,
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["./test/browser/support/dashboard-service.ts"],
          // The files of a process share its browser.
          isolate: false,
          setupFiles: ["./test/browser/setup.ts"],
          ...COMMON,
          // A sweep of all screens takes two minutes on a busy machine.
          testTimeout: 300_000,
          // A key that a busy Chromium loses is no fault of the page. The report names the tests that needed it.
          retry: 1,
        },
      },
    ],
  },
});
