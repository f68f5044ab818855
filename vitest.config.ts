import { readFileSync } from "node:fs";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
process.env["WRANGLER_SEND_METRICS"] = "false";
process.env["ENCRYPTION_KEYS"] = `test:${Buffer.alloc(32, "k").toString("base64")}`;

export default defineConfig({
  test: {
    // The Worker's log lines; the tests that are about them catch them themselves.
    onConsoleLog: (line) => !line.startsWith('{"event":'),
    coverage: { provider: "istanbul", include: ["src/**"] },
    projects: [
      {
        // Inside workerd, through the Worker's own fetch. One runtime for all files: each test starts with empty storage.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                BASE_URL: "https://tern.test",
                ENCRYPTION_KEYS: process.env["ENCRYPTION_KEYS"],
                SCHEMA: readFileSync("schema.sql", "utf8"),
              },
              compatibilityFlags: ["service_binding_extra_handlers"],
              // Whatever the Worker asks of the internet, this answers.
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
        test: {
          name: "workers",
          // Generous: no test may fail because the machine is slow.
          testTimeout: 60_000,
          include: ["test/**/*.test.ts"],
          exclude: ["test/{e2e,scripts,docs,browser}/**"],
          setupFiles: ["./test/setup.ts"],
          isolate: false,
          maxWorkers: 1,
        },
      },
      {
        // In Node, against the built Worker in its real local runtime, or against the commands and examples of the documents.
        test: {
          name: "node",
          include: ["test/{architecture,e2e,scripts,docs}/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
