import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { app } from "../../src/app.ts";
import { clientFor } from "./support/openapi-client.ts";
import { operationsIn, resolveShared } from "./support/openapi.ts";
import { generateTypes } from "./support/openapi-types.ts";

const run = promisify(execFile);

it("gives types with which a program that uses every operation and every event compiles", async () => {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const response = await app.request("https://tern.test/api/openapi.json", {}, { BASE_URL: "https://tern.test" });
  const text = await response.text();
  writeFileSync(join(folder, "openapi.json"), text);
  await generateTypes(join(folder, "openapi.json"), join(folder, "types.ts"));

  const document = resolveShared(JSON.parse(text));
  const client = clientFor(document);
  for (const [, { operationId }] of operationsIn(document)) expect(client).toContain(`const ${operationId}`);
  const packages = { "openapi-fetch": [resolve("node_modules/openapi-fetch")] };
  const compilerOptions = { ...OPTIONS, paths: packages };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }));
  const compile = (program: string) => {
    writeFileSync(join(folder, "client.ts"), program);
    return run("node_modules/.bin/tsc", ["-p", folder]).then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  expect(await compile(client)).toBe("");
  // The types are those of the document: a text is no number.
  expect(await compile(client.replace('"slug":"Spring-26"', '"slug":1'))).toContain("'number' is not assignable");
});

const OPTIONS = {
  target: "es2024",
  lib: ["es2024", "dom"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
};
